import { expect, it } from 'vitest';
import { startWebhook } from '../../test/receivers.ts';
import { postWebhook } from './webhook.ts';

it('a webhook that never answers is given up after ten seconds', async () => {
  const dead = await startWebhook(() => 'never');
  try {
    const message = { url: dead.url, secret: 'key', deliveryId: 'one', body: '{}', nowMs: 0 };
    await expect(postWebhook(message, true)).rejects.toThrow('no answer within 10 s');
    expect(dead.calls).toHaveLength(1);
  } finally {
    await dead.close();
  }
});
