import type { Transport } from '../../../calls/request.ts';

/**
 * Sends a request and reports the sent share of its body, 0 to 1, which `fetch` cannot do. The promise rejects with a
 * TypeError if there is no answer, and with an AbortError if it was aborted.
 */
export function uploading(onProgress: (share: number) => void): Transport {
  return (address, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onProgress(total > 0 ? loaded / total : 0),
      );
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request;
        const type = request.getResponseHeader('content-type') ?? 'text/plain';
        resolve(
          new Response(responseText, { status, statusText, headers: { 'content-type': type } }),
        );
      });
      request.addEventListener('error', () => reject(new TypeError('Network Error')));
      const abort = () => {
        request.abort();
        reject(new DOMException('The upload was aborted.', 'AbortError'));
      };
      if (signal?.aborted) abort();
      else {
        signal?.addEventListener('abort', abort, { once: true });
        request.send(body as XMLHttpRequestBodyInit);
      }
    });
}
