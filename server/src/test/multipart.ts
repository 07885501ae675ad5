/** Makes a form of text fields. */
export function formOf(fields: Readonly<Record<string, string | number | boolean>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return form;
}

/** Encodes a form as the body and headers of a request. */
export async function multipart(
  form: FormData,
  headers: Readonly<Record<string, string>>,
): Promise<{ headers: Record<string, string>; payload: Buffer }> {
  const request = new Response(form);
  const type = request.headers.get('content-type') ?? '';
  return {
    headers: { ...headers, 'content-type': type },
    payload: Buffer.from(await request.arrayBuffer()),
  };
}
