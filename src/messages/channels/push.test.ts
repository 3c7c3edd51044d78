import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import webPush from 'web-push';
import type { ResolveHost } from '#platform/http/ip-addresses.ts';
import { SendFailure } from './channel.ts';
import { createPushSender, parsePushEndpoint } from './push.ts';

const { publicKey, privateKey } = webPush.generateVAPIDKeys();
const resolvedHosts: string[] = [];
const resolveToLoopback: ResolveHost = (host, _options, done) => {
  resolvedHosts.push(host);
  done(null, [{ address: '127.0.0.1', family: 4 }]);
};
const send = createPushSender(
  { subject: 'mailto:a@semana.example', publicKey, privateKey },
  resolveToLoopback,
);

function createSubscription(endpoint: string) {
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
const sendAndFail = async (endpoints: string[]) => {
  const error = await send({ ...message, subscriptions: endpoints.map(createSubscription) }).then(
    () => assert.fail('the message was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SendFailure, String(error));
  return { reason: error.reason, isPermanent: error.isPermanent };
};

test('a failure without subscriptions is permanent; an unreachable push service is retried', async () => {
  assert.deepEqual(await sendAndFail([]), { reason: 'no_browser', isPermanent: true });
  assert.deepEqual(await sendAndFail(['https://fcm.googleapis.com/push']), {
    reason: 'unreachable',
    isPermanent: false,
  });
  assert.deepEqual(resolvedHosts, ['fcm.googleapis.com'], 'resolved once; the private address is refused');
});

test('a stored URL that another parser reads differently is not called; the subscription has expired', async () => {
  const hostileUrls = ['https://127.0.0.1;.fcm.googleapis.com/x', 'https://127.0.0.1:9/push', 'nonsense'];
  resolvedHosts.length = 0;
  assert.deepEqual(await sendAndFail(hostileUrls), { reason: 'push_gone', isPermanent: true });
  assert.deepEqual(resolvedHosts, []);
});

test('a URL of a push service is normalized, and other characters in its host name are refused', () => {
  assert.equal(
    parsePushEndpoint('HTTPS://FCM.googleapis.com\\@127.0.0.1/x'),
    'https://fcm.googleapis.com/@127.0.0.1/x',
  );
  for (const character of ';,{}_!$&\'()*+=`^"|~%') {
    const url = `https://127.0.0.1${character}.fcm.googleapis.com/x`;
    assert.equal(parsePushEndpoint(url), undefined, url);
  }
});
