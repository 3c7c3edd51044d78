import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ACCOUNT, type FakeTwilio, openFakeTwilio } from '../../../test/support/sms-gateway.ts';
import { SendFailure } from './channel.ts';
import { createTwilioSmsSender } from './twilio.ts';

const twilio = await openFakeTwilio();
after(() => twilio.close());
const twilioSettings = {
  ...ACCOUNT,
  whatsappFrom: '+15005550007',
  contents: { offer: 'HX1' },
  getCallbackUrl: () => 'https://api.semana.example/messages/twilio/status',
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

async function sendAndFail(behavior: FakeTwilio['behavior'], timeoutMs?: number): Promise<SendFailure> {
  twilio.behavior = behavior;
  const sendPromise = createTwilioSmsSender({ url: twilio.url, ...twilioSettings }, timeoutMs)(message);
  const error = await sendPromise.then(
    () => assert.fail('the message was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SendFailure);
  assert.ok(
    !`${error.message} ${error.stack}`.includes('98765'),
    'the error contains no data of the recipient',
  );
  return error;
}
const pickFields = ({ reason, isPermanent, isGeneral }: SendFailure) => ({
  reason,
  isPermanent,
  isGeneral,
});

test('the message arrives unchanged, from our number or messaging service', async () => {
  twilio.behavior = 'accept';
  await createTwilioSmsSender({ url: twilio.url, ...twilioSettings })(message);
  await createTwilioSmsSender({ url: twilio.url, ...twilioSettings, from: 'MG0123' })(message);
  const [firstMessage, otherMessage] = twilio.sentMessages;
  assert.deepEqual(firstMessage, { to: message.phone, from: twilioSettings.from, body: message.text });
  assert.equal(otherMessage!.from, 'MG0123');
});

test('a refused recipient is a permanent failure that affects only this recipient', async () => {
  const expectedFailure = { reason: 'twilio_21211', isPermanent: true, isGeneral: false };
  assert.deepEqual(pickFields(await sendAndFail('refuse')), expectedFailure);
});

test('wrong credentials and a redirect are permanent failures that affect all recipients', async () => {
  const expectedFailure = { reason: 'twilio_20003', isPermanent: true, isGeneral: true };
  assert.deepEqual(pickFields(await sendAndFail('unauthorized')), expectedFailure);
  assert.deepEqual(pickFields(await sendAndFail('nonsense')), {
    reason: 'http_302',
    isPermanent: true,
    isGeneral: true,
  });
});

test('a busy, broken, slow, disconnecting or unreachable gateway is retried', async () => {
  const buildRetriable = (reason: string) => ({ reason, isPermanent: false, isGeneral: true });
  assert.deepEqual(pickFields(await sendAndFail('busy')), buildRetriable('twilio_20429'));
  assert.deepEqual(pickFields(await sendAndFail('broken')), buildRetriable('http_503'));
  assert.deepEqual(pickFields(await sendAndFail('slow', 200)), buildRetriable('timeout'));
  assert.deepEqual(pickFields(await sendAndFail('hang up')), buildRetriable('unreachable'));
  await twilio.close();
  assert.deepEqual(pickFields(await sendAndFail('accept')), buildRetriable('unreachable'));
});
