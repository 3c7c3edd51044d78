import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type FakeMailServer, openFakeMailServer } from '../../../test/support/mail-server.ts';
import { NotSent } from './channel.ts';
import { smtpSender } from './smtp.ts';

const server = await openFakeMailServer();
const from = 'Semana <avisos@semana.example>';
const send = smtpSender({ url: server.url, from }, 500);
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

async function failure(mood: FakeMailServer['mood']) {
  server.mood = mood;
  const error = await send(message).then(
    () => assert.fail('it was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotSent, String(error));
  assert.ok(!`${error.message} ${error.stack}`.includes('ana@'), 'nothing of the receiver');
  return { reason: error.reason, permanent: error.permanent, concernsAll: error.concernsAll };
}

test('text and HTML arrive, with the QR of the PIX code in it and who lends; what others wrote is no markup', async () => {
  server.mood = 'accept';
  const { providerId } = await send(message);
  const [{ to, data }] = server.taken as [{ to: string; data: string }];
  assert.equal(to, 'ana@example.com');
  assert.equal(providerId, '<msg_01kfx3v9e2r4s6t8w0y2a4c6e8@semana.example>');
  const decoded = data.replaceAll(/=\n/g, '').replaceAll('=3D', '=').replaceAll('=20', ' ');
  assert.match(decoded, /Subject: Parcela em atraso/);
  assert.match(decoded, /multipart\/alternative/);
  assert.match(decoded, /text\/plain/);
  assert.match(decoded, /Loja &lt;b&gt;&amp;&lt;\/b&gt; 1\/4/);
  assert.match(decoded, /src="cid:qr"/);
  assert.match(decoded, /Content-ID: <qr>/i);
  assert.match(decoded, /CNPJ 11\.222\.333\/0001-81/);
});

test('a receiver that the server refuses is refused for good; a server that is busy, silent or gone is tried again', async () => {
  assert.deepEqual(await failure('refuse receiver'), {
    reason: 'smtp_550',
    permanent: true,
    concernsAll: false,
  });
  for (const mood of ['busy', 'slow', 'hang up'] as const) {
    const { permanent, concernsAll } = await failure(mood);
    assert.deepEqual([permanent, concernsAll], [false, true], mood);
  }
  await server.close();
  const { permanent, concernsAll } = await failure('accept');
  assert.deepEqual([permanent, concernsAll], [false, true]);
});
