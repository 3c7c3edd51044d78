import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  ACCOUNT as CREDENTIALS,
  type FakeTwilio,
  openFakeTwilio,
} from '../../../test/support/sms-gateway.ts';
import { NotSent } from './channel.ts';
import { twilioSms } from './twilio.ts';

const twilio = await openFakeTwilio();
after(() => twilio.close());
const ACCOUNT = {
  ...CREDENTIALS,
  whatsappFrom: '+15005550007',
  contents: { offer: 'HX1' },
  callbackUrl: () => 'https://api.semana.example/messages/twilio/status',
};
const message = {
  id: 'msg_01',
  template: 'offer',
  step: null,
  phone: '+5511987650001',
  email: null,
  subscriptions: [],
  subject: 'Oferta',
  text: 'Olá, é você? 100% & mais',
  code: null,
  link: null,
  creditor: { name: '', cnpj: '', address: '', email: '' },
};

async function failure(mood: FakeTwilio['mood'], timeoutMs?: number): Promise<NotSent> {
  twilio.mood = mood;
  const sent = twilioSms({ url: twilio.url, ...ACCOUNT }, timeoutMs)(message);
  const error = await sent.then(
    () => assert.fail('it was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotSent);
  assert.ok(!`${error.message} ${error.stack}`.includes('98765'), 'nothing of the receiver');
  return error;
}
const outcome = ({ reason, permanent, concernsAll }: NotSent) => ({ reason, permanent, concernsAll });

test('accepts: the message arrives as it is, from our number or messaging service', async () => {
  twilio.mood = 'accept';
  await twilioSms({ url: twilio.url, ...ACCOUNT })(message);
  await twilioSms({ url: twilio.url, ...ACCOUNT, from: 'MG0123' })(message);
  const [one, other] = twilio.taken;
  assert.deepEqual(one, { to: message.phone, from: ACCOUNT.from, body: message.text });
  assert.equal(other!.from, 'MG0123');
});

test('refuses the receiver: for good, and it is the receiver’s matter', async () => {
  const expected = { reason: 'twilio_21211', permanent: true, concernsAll: false };
  assert.deepEqual(outcome(await failure('refuse')), expected);
});

test('refuses us: for good, and it is everybody’s matter', async () => {
  const expected = { reason: 'twilio_20003', permanent: true, concernsAll: true };
  assert.deepEqual(outcome(await failure('unauthorized')), expected);
  assert.deepEqual(outcome(await failure('nonsense')), {
    reason: 'http_302',
    permanent: true,
    concernsAll: true,
  });
});

test('busy, broken, slow, gone in the middle, down: to be tried again', async () => {
  const retried = (reason: string) => ({ reason, permanent: false, concernsAll: true });
  assert.deepEqual(outcome(await failure('busy')), retried('twilio_20429'));
  assert.deepEqual(outcome(await failure('broken')), retried('http_503'));
  assert.deepEqual(outcome(await failure('slow', 200)), retried('timeout'));
  assert.deepEqual(outcome(await failure('hang up')), retried('unreachable'));
  await twilio.close();
  assert.deepEqual(outcome(await failure('accept')), retried('unreachable'));
});
