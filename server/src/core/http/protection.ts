import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * The headers by which browsers protect people: what pages may load, who may frame them. They are the same for every
 * answer, so they are reckoned once; per request that cost a third of what a cached answer costs.
 * @param tileUrl the one other server that pages load from, where there is one
 */
export function protectionOf(tileUrl: string | undefined): Readonly<Record<string, string>> {
  const tiles = tileUrl === undefined ? [] : [new URL(tileUrl).origin];
  const headers: Record<string, string> = {};
  const add = helmet({
    // No upgrade-insecure-requests and no HSTS: behind TLS the proxy adds them, on plain http they blank the page.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
        mediaSrc: ["'self'", 'blob:'],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...tiles],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  add(request, response, (error) => {
    if (error !== undefined) throw error;
  });
  for (const [name, value] of Object.entries(response.getHeaders())) headers[name] = String(value);
  return headers;
}
