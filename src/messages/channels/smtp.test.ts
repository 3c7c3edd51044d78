import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type FakeMailServer, openFakeMailServer } from '../../../test/support/mail-server.ts';
import { SendFailure } from './channel.ts';
import { createSmtpSender } from './smtp.ts';

const server = await openFakeMailServer();
const from = 'Semana <avisos@semana.example>';
const TIMEOUT_MS = 500;
const send = createSmtpSender({ url: server.url, from }, TIMEOUT_MS);
after(async () => {
  send.close();
  await server.close();
});

const message = {
  id: 'msg_01kfx3v9e2r4s6t8w0y2a4c6e8',
  template: 'reminder',
  step: 1,
  phone: '+5511987650001',
  email: 'ana@example.com',
  subscriptions: [],
  subject: 'Parcela em atraso',
  text: 'Semana: em atraso: Loja <b>&</b> 1/4. Pague já.',
  code: '00020101021226800014br.gov.bcb.pix',
  link: 'https://semana.example/carteira/compras/x/1',
  creditor: { name: 'Credora Ltda.', cnpj: '11.222.333/0001-81', address: 'Rua 1', email: 'a@b.example' },
};

async function sendAndFail(behavior: FakeMailServer['behavior']) {
  server.behavior = behavior;
  const error = await send(message).then(
    () => assert.fail('the message was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SendFailure, String(error));
  assert.ok(
    !`${error.message} ${error.stack}`.includes('ana@'),
    'the error contains no data of the recipient',
  );
  return { reason: error.reason, isPermanent: error.isPermanent, isGeneral: error.isGeneral };
}

test('the e-mail has text and HTML, the QR code of the PIX code and the creditor; names are escaped', async () => {
  server.behavior = 'accept';
  const { providerId } = await send(message);
  const [{ to, data }] = server.sentMessages as [{ to: string; data: string }];
  assert.equal(to, 'ana@example.com');
  assert.equal(providerId, '<msg_01kfx3v9e2r4s6t8w0y2a4c6e8@semana.example>');
  const decodedText = data.replaceAll(/=\n/g, '').replaceAll('=3D', '=').replaceAll('=20', ' ');
  assert.match(decodedText, /Subject: Parcela em atraso/);
  assert.match(decodedText, /multipart\/alternative/);
  assert.match(decodedText, /text\/plain/);
  assert.match(decodedText, /Loja &lt;b&gt;&amp;&lt;\/b&gt; 1\/4/);
  assert.match(decodedText, /src="cid:qr"/);
  assert.match(decodedText, /Content-ID: <qr>/i);
  assert.match(decodedText, /CNPJ 11\.222\.333\/0001-81/);
});

test('a refused recipient is a permanent failure; a busy, silent or unreachable server is retried', async () => {
  assert.deepEqual(await sendAndFail('refuse receiver'), {
    reason: 'smtp_550',
    isPermanent: true,
    isGeneral: false,
  });
  for (const behavior of ['busy', 'slow', 'hang up'] as const) {
    const { isPermanent, isGeneral } = await sendAndFail(behavior);
    assert.deepEqual([isPermanent, isGeneral], [false, true], behavior);
  }
  await server.close();
  const { isPermanent, isGeneral } = await sendAndFail('accept');
  assert.deepEqual([isPermanent, isGeneral], [false, true]);
});
