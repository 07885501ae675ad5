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
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
