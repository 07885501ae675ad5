import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * Security headers: what pages may load, and who may frame them. They are the same for every answer, so they are
 * computed once; per request they cost a third of a cached answer.
 * @param tileUrl the one other server from which pages load, if any
 */
export function protectionOf(tileUrl: string | undefined): Readonly<Record<string, string>> {
  const tiles = tileUrl === undefined ? [] : [new URL(tileUrl).origin];
  const headers: Record<string, string> = {};
  const add = helmet({
    // No upgrade-insecure-requests and no HSTS: with TLS the proxy adds them, on plain http they blank the page.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    // A tile server may ask for the Referer: OpenStreetMap's refuses requests without one. It gets the origin only.
    referrerPolicy: {
      policy: tileUrl === undefined ? 'no-referrer' : 'strict-origin-when-cross-origin',
    },
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
