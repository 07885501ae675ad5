// The tests' S3 server has no types; this is what the contract test uses of it.
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string; configs: readonly unknown[] }[];
    });
    /** Functions that run around each request, the first one outermost (Koa). */
    readonly middleware: ((
      context: {
        readonly method: string;
        readonly query: Readonly<Record<string, string | undefined>>;
        readonly response: { get(header: string): string };
        body: unknown;
        status: number;
        type: string;
        get(header: string): string;
        set(header: string, value: string): void;
      },
      next: () => Promise<void>,
    ) => Promise<void>)[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
