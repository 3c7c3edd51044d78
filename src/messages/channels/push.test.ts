import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import webPush from 'web-push';
import { NotSent } from './channel.ts';
import { pushSender } from './push.ts';

const { publicKey, privateKey } = webPush.generateVAPIDKeys();
const send = pushSender({ subject: 'mailto:a@semana.example', publicKey, privateKey });

function subscription(endpoint: string) {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  return {
    endpoint,
    keys: { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}
const message = {
  id: 'msg_1',
  template: 'reminder',
  step: 0,
  phone: null,
  email: null,
  subscriptions: [],
  subject: 'Vence hoje',
  text: 'Semana: vence hoje.',
  code: null,
  link: null,
  creditor: { name: '', cnpj: '', address: '', email: '' },
};
const failure = async (endpoints: string[]) => {
  const error = await send({ ...message, subscriptions: endpoints.map(subscription) }).then(
    () => assert.fail('it was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotSent, String(error));
  return { reason: error.reason, permanent: error.permanent };
};

test('without a browser the next channel follows at once; a push service that is away is tried again', async () => {
  assert.deepEqual(await failure([]), { reason: 'no_browser', permanent: true });
  // Nothing listens there.
  assert.deepEqual(await failure(['https://127.0.0.1:9/push']), { reason: 'unreachable', permanent: false });
});
