import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createAutopayDriver } from '../../../test/autopay-driver.ts';
import { eventually } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { OPERATOR_KEY } from '../../../test/support/customers.ts';
import { TOKEN_TTL_MS } from '../../customers/tokens/signing-keys.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';
import { CODE_PAUSE_MS, openSite, pickWrongCode, readSandboxCode } from './site.ts';

const { service, siteUrl, startSite } = await openSite();
const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };
const CARLA = { phone: '(11) 98765-0003', password: 'semana-demo-3' };

async function signIn(person = ANA): Promise<CookieJar> {
  const jar = new CookieJar(siteUrl);
  const response = await jar.post('/carteira/entrar', person);
  assert.equal(readLocation(response), '/carteira');
  return jar;
}

/** Reads the hash of a purchase whose second installment is open. */
async function readOpenPurchaseHash(jar: CookieJar): Promise<string> {
  const html = await jar.text('/carteira?situacao=abertas');
  const [, hash] = /class="rows".*?\/carteira\/compras\/(\w{22})"/s.exec(html)!;
  return hash!;
}

test('a login with the password invalidates a pending code', async () => {
  const jar = new CookieJar(siteUrl);
  await jar.post('/carteira/entrar/enviar', { phone: ANA.phone });
  assert.ok(jar.cookies.has('codigo'));
  await jar.post('/carteira/entrar', ANA);
  assert.deepEqual([...jar.cookies.keys()].toSorted(), ['aparelho', 'sessao']);
});

test('the home page starts with the amounts to pay, by due day, each with the amount that settles it and one button', async () => {
  const html = await (await signIn()).text('/carteira');
  const [section] = /<section class="to-pay".*?<\/section>/s.exec(html)!;
  // Ana has an overdue installment, so her purchases are paused.
  assert.ok(html.indexOf(section) < html.indexOf('Compras pausadas'));
  // A row is a title, or a merchant, a due day and the text of a button.
  const rows = [
    ...section.matchAll(/<h3>([^<]*)|<b>([^<]*)<\/b><small>([^<]*)<\/small>.*?>(Pagar [^<]*)<\/a>/gs),
  ].map(
    ([, title, merchant, dueText, button]) =>
      title ?? [merchant, dueText, button].join(' | ').replaceAll('\u00a0', ' '),
  );
  // The number of late days depends on weekends and holidays.
  rows[1] = rows[1]!.replace(/há \d/, 'há N').replace(/,\d\d/g, ',NN');
  assert.deepEqual(rows, [
    'Em atraso',
    'Ótica Vista Linda | 3ª parcela · venceu há N dias · com R$ 1,NN de multa e juros | Pagar R$ 51,NN',
    'Esta semana',
    'Ótica Vista Linda | 4ª parcela · vence amanhã | Pagar R$ 50,00',
    'Livraria Página Virada | 1ª parcela · vence amanhã | Pagar R$ 50,00',
  ]);
});

test('a draft belongs to the customer who typed it: the next customer on the same device does not see it', async () => {
  const jar = await signIn();
  const pagePath = `/carteira/compras/${await readOpenPurchaseHash(jar)}/2`;
  // The idempotency key of the form, which contains the id of its owner.
  const [, chave] = /name="chave" value="([^"]+)"/.exec(await jar.text(pagePath))!;
  const fields = { chave: chave!, type: 'settle_partial', value: '13,37' };
  await service.db.run(sql`delete from sessions`);
  service.clock.advance(TOKEN_TTL_MS + MINUTE_MS);
  const refusedResponse = await jar.post(`${pagePath}/pix`, fields);
  assert.match(readLocation(refusedResponse)!, /^\/carteira\/entrar/);
  const otherResponse = await jar.post('/carteira/entrar', { ...CARLA, para: pagePath });
  assert.equal(readLocation(otherResponse), '/carteira', 'not to a page of another customer');
  assert.doesNotMatch(await jar.text('/carteira'), /13,37|tinha escrito/);
  assert.equal(jar.cookies.has('rascunho'), false);
  // The owner of a draft sees it after the next login. A form that was submitted without a session still names its owner.
  await jar.post('/carteira/sair', {});
  await jar.post(`${pagePath}/pix`, { ...fields, value: '14,41' });
  const ownResponse = await jar.post('/carteira/entrar', ANA);
  assert.equal(readLocation(ownResponse), pagePath);
  assert.match(await jar.text(pagePath), /value="14,41"/);
  // A form without an owner stores no draft.
  await jar.post('/carteira/sair', {});
  await jar.post(`${pagePath}/pix`, { type: 'settle_partial', value: '15,51' });
  assert.equal(jar.cookies.has('rascunho'), false);
});

test('after five wrong codes the page says that the code is blocked, and a new code works', async () => {
  const jar = new CookieJar(siteUrl);
  const { phone } = CARLA;
  const pagePath = '/carteira/entrar/codigo';
  await jar.post('/carteira/entrar/enviar', { phone });
  const readCode = async () => readSandboxCode(await jar.text(pagePath));
  const rightCode = await readCode();
  const wrongCode = pickWrongCode(rightCode);
  for (let i = 1; i <= 4; i++) {
    await jar.post(pagePath, { code: wrongCode });
    assert.match(await jar.text(pagePath), /id="code-erro">Código incorreto ou vencido/, `wrong code ${i}`);
  }
  await jar.post(pagePath, { code: wrongCode });
  assert.match(
    await jar.text(pagePath),
    /id="code-erro">Este código foi bloqueado depois de 5 tentativas erradas\. Para continuar, toque em “Enviar outro código”/,
  );
  assert.equal(readLocation(await jar.post(pagePath, { code: rightCode })), pagePath, 'the code is blocked');
  service.clock.advance(CODE_PAUSE_MS);
  await jar.post(`${pagePath}/reenviar`, {});
  assert.equal(readLocation(await jar.post(pagePath, { code: await readCode() })), '/carteira');
});

test('if the API accepts a request but never responds, it is sent once, and then the wallet offers to retry', async () => {
  const requestedPaths: string[] = [];
  const silentServer = createServer(({ url = '' }) => void requestedPaths.push(url.replace(/\?.*/, '')));
  silentServer.listen(0, '127.0.0.1');
  after(() => silentServer.closeAllConnections());
  after(() => silentServer.close());
  await new Promise((resolve) => silentServer.once('listening', resolve));
  const { port } = silentServer.address() as { port: number };
  const webOptions = { apiUrl: `http://127.0.0.1:${port}`, sandbox: null, apiTimeoutMs: 300 };
  const jar = new CookieJar(await startSite(webOptions), (await signIn()).cookies);
  const response = await jar.send('/carteira/cashback?pagina=2');
  const html = await response.text();
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.match(
    html,
    /<body class="wallet" .*<nav class="tabs".*fora do ar.*href="\/carteira\/cashback\?pagina=2">Tentar de novo/s,
  );
  // When the server of the pages starts, it requests the creditor.
  const pageRequests = requestedPaths.filter((path) => path !== '/public/creditor');
  assert.deepEqual(pageRequests.toSorted(), ['/wallet/cashback/balance', '/wallet/cashback/ledger']);
});

test('a page of the wallet that does not exist keeps the layout of the wallet', async () => {
  const response = await (await signIn()).send('/carteira/nada');
  assert.match(
    await response.text(),
    /<body class="wallet" .*<nav class="tabs".*Não encontramos esta página/s,
  );
});

test('a sign-up reports a day that does not exist and a name of one word beside their fields', async () => {
  const jar = new CookieJar(siteUrl);
  await jar.post('/carteira/cadastro', { phone: '(11) 98765-7001' });
  const pagePath = '/carteira/cadastro/dados';
  const code = readSandboxCode(await jar.text(pagePath));
  const person = { code, cpf: '529.982.247-25', email: 'joana@example.com', terms: '2026-11' };
  const submitAndReadErrors = async (changes: Record<string, string>) => {
    await jar.post(pagePath, { ...person, name: 'Joana Prado', birth_date: '31/05/1990', ...changes });
    return [...(await jar.text(pagePath)).matchAll(/id="(\w+)-erro">([^<]*)/g)].map(
      ([, name, message]) => `${name}: ${message}`,
    );
  };
  assert.deepEqual(await submitAndReadErrors({ birth_date: '31/02/1990', name: 'Joana' }), [
    'name: Escreva nome e sobrenome, como no documento.',
    'birth_date: Esta data não existe. Confira o dia e o mês.',
  ]);
  assert.deepEqual(
    await submitAndReadErrors({ cpf: '529.982.247-26', birth_date: '31/02/1990', email: 'joana', terms: '' }),
    [
      'cpf: CPF inválido. Confira os números.',
      'birth_date: Esta data não existe. Confira o dia e o mês.',
      'email: E-mail incompleto. Exemplo: nome@exemplo.com.br.',
      'terms: Para criar a conta, é preciso aceitar os termos.',
    ],
  );
  assert.deepEqual(await submitAndReadErrors({ cpf: '529.982.247-26' }), [
    'cpf: CPF inválido. Confira os números.',
  ]);
  await jar.post(pagePath, { ...person, name: 'Joana Prado', birth_date: '31/05/1990', terms: '' });
  assert.match(
    await jar.text(pagePath),
    /id="terms"[^>]* aria-describedby="terms-erro" aria-invalid="true" autofocus/,
  );
});

test('cashback is spent only after a confirmation', async () => {
  const jar = await signIn();
  const pagePath = `/carteira/compras/${await readOpenPurchaseHash(jar)}/2`;
  const readBalance = async () => /glance-figure">([^<]*)/.exec(await jar.text('/carteira/cashback'))![1];
  const balanceBefore = await readBalance();
  const requestResponse = await jar.post(`${pagePath}/cashback`, { cashback: '2,5' });
  assert.equal(readLocation(requestResponse), `${pagePath}/cashback?valor=2%2C5`);
  assert.match(await jar.text(`${pagePath}/cashback?valor=2%2C5`), /\/cashback\/confirmar".*R\$\s2,50/s);
  assert.equal(await readBalance(), balanceBefore);
  await jar.post(`${pagePath}/cashback`, { cashback: '5000' });
  assert.match(await jar.text(pagePath), /id="cashback-erro">Escolha um valor até o seu saldo/);
  await jar.post(`${pagePath}/cashback/confirmar`, { chave: 'x', cashback: '2,5' });
  assert.match(await jar.text(pagePath), /Você usou R\$\s2,50 de cashback/);
  assert.notEqual(await readBalance(), balanceBefore);
  for (const query of ['', '?valor=x', '?valor=-1', '?valor=0'])
    assert.equal(readLocation(await jar.send(`${pagePath}/cashback${query}`)), pagePath);
});

test('the cost of a day of delay is described in words: no page computes an amount', async () => {
  const jar = await signIn();
  const [, latePath] = /href="(\/carteira\/compras\/\w{22}\/3)"/.exec(await jar.text('/carteira'))!;
  const html = await jar.text(latePath!);
  assert.match(html, /Multa de 2%, uma vez por vencimento/);
  assert.match(html, /os juros de 1% ao mês são contados por dia/);
  assert.doesNotMatch(html, /cerca de|menos de um centavo|uma vez só/);
});

test('an offer above the limit is labelled as such and cannot be accepted', async () => {
  const offerInput = { phone: '+5511987650003', amount: 5000, installments: 4, description: 'Festa' };
  const { body } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const html = await (await signIn(CARLA)).text(`/carteira/ofertas/${body.id}`);
  assert.match(
    html,
    /Esta compra passa do seu limite: o total é R\$\s5\.000,00 e o seu limite disponível é R\$/,
  );
  assert.doesNotMatch(html, /\/aceitar"/);
  assert.match(html, /\/recusar"/);
});

test('all expiring cashback is listed, whatever the number of days', async () => {
  const jar = await signIn();
  // Ana is the oldest customer.
  const { id } = (await service.db.row<{ id: string }>(
    sql`select id from customers order by created_at limit 1`,
  ))!;
  for (let i = 0; i < 8; i++) {
    const body = { amount: 1, reason: 'Cortesia' };
    const { status } = await service.staff('POST', `/admin/cashback/${id}/adjust`, {
      key: OPERATOR_KEY,
      body,
    });
    assert.equal(status, 201);
    service.clock.advance(DAY_MS);
  }
  const html = await jar.text('/carteira/cashback');
  const dayCount = html.match(/<dt>até /g)!.length;
  // Each of the 8 adjustments expires on another day, and Ana had cashback before. The page folds all days but six.
  assert.ok(dayCount > 8);
  assert.match(html, new RegExp(`<summary>Ver ${dayCount - 6} outras datas</summary>`));
});

test('signing out everywhere ends the sessions on all devices', async () => {
  const [firstJar, secondJar] = [await signIn(CARLA), await signIn(CARLA)];
  const response = await firstJar.post('/carteira/sair/todos', {});
  assert.equal(readLocation(response), '/carteira/entrar?saiu=todos');
  assert.match(await firstJar.text('/carteira/entrar?saiu=todos'), /Você saiu em todos os aparelhos/);
  assert.equal((await secondJar.send('/carteira')).status, 303);
});

test('autopay pages and the reminder name the day and amount of the debit; after a refused debit the pages say why', async () => {
  const autopayDriver = createAutopayDriver(service);
  // A Tuesday at noon. Installments fall due on the Tuesdays that follow, which are business days.
  service.clock.set('2026-11-24T15:00:00Z');
  const terms = { weekly_rate_percent: 2 };
  const { customer, hash } = await autopayDriver.sellWithAutopay({ amount: 100, installments: 2, terms });
  const jar = await signIn(customer);
  const readPage = async (path: string) => (await jar.text(path)).replaceAll('\u00a0', ' ');
  const pagePaths = [`/carteira/compras/${hash}/1`, '/carteira'];
  const { installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  const value = `R$ ${installments[0].amount.toFixed(2).replace('.', ',')}`;
  const valuePattern = value.replace('$', '\\$');
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' }); // the day of the reminder
  for (const path of pagePaths)
    assert.match(
      await readPage(path),
      /Será debitada na terça, 1º de dezembro; só pague por código se quiser antecipar\./,
      path,
    );
  assert.match(
    await readPage(`/carteira/compras/${hash}`),
    new RegExp(`A 1ª parcela, de ${valuePattern}, será debitada na terça, 1º de dezembro\\. Você não`),
  );
  const reminder = await eventually('the reminder is sent', async () => {
    const path = `/sandbox/messages?phone=${encodeURIComponent(customer.phone)}`;
    const { body } = await autopayDriver.callStaff('GET', path);
    return body.data.find(({ template }: { template: string }) => template === 'reminder');
  });
  assert.ok(reminder.text.replaceAll('\u00a0', ' ').includes(`${value} (débito automático)`), reminder.text);
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2026-12-02T02:00:00Z' }); // the due day, 23:00 in Brasília
  for (const path of [...pagePaths, `/carteira/compras/${hash}`]) {
    const html = await readPage(path);
    assert.match(
      html,
      /[oO] banco não debitou a parcela\. Não havia saldo na conta\. Ele tenta de novo na quarta, 2 de dezembro/,
      path,
    );
    assert.doesNotMatch(html, /não precisa fazer nada/, path);
  }
  await autopayDriver.setDebitOutcome('paid');
  await autopayDriver.moveClock({ now: '2026-12-02T15:00:00Z' }); // the day of the second attempt
  assert.match(await readPage(pagePaths[0]!), /Multa e juros dispensados/);
});

test('while an installment is late, the wallet offers neither to pay another one nor to switch on autopay', async () => {
  const autopayDriver = createAutopayDriver(service);
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 4 });
  const jar = await signIn(customer);
  assert.match(await jar.text(`/carteira/compras/${hash}`), /Pagar a 1ª parcela e ligar/);
  service.clock.advance(10 * DAY_MS); // the first installment is due after 7 days
  const html = await jar.text(`/carteira/compras/${hash}`);
  assert.doesNotMatch(html, /parcela e ligar/);
  assert.match(html, /Só ligar/);
});

test('an installment paid early shows one total for today, and the purchase shows the amount on the due day', async () => {
  const autopayDriver = createAutopayDriver(service);
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, {
    amount: 100,
    installments: 2,
    terms: { weekly_rate_percent: 2 },
  });
  const jar = await signIn(customer);
  const readPage = async (path: string) => (await jar.text(path)).replaceAll('\u00a0', ' ');
  // 100.00 in two installments at 2 % a week is 2 × 51.50. A week early, the first one is 51.50 / 1.02 = 50.49.
  const installmentPage = await readPage(`/carteira/compras/${hash}/1`);
  assert.match(
    installmentPage,
    /figure-big">R\$ 50,49<.*vencimento<\/dt><dd>R\$ 51,50.*Total a pagar hoje<\/dt><dd>R\$ 50,49/s,
  );
  const purchasePage = await readPage(`/carteira/compras/${hash}`);
  assert.match(
    purchasePage,
    /Pagar a 1ª parcela · R\$ 50,49.*A 1ª parcela, de R\$ 51,50, vence [^.]*\. Pagando hoje, são R\$ 50,49\./s,
  );
});

test('the customer sees the reason of a return in the message and on the page; a full return is labelled as such in the list', async () => {
  const autopayDriver = createAutopayDriver(service);
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 60, installments: 2 });
  const reason = 'O forno chegou riscado';
  const returnResponse = await autopayDriver.callStaff('POST', `/admin/checkouts/${hash}/returns`, {
    reason,
  });
  assert.equal(returnResponse.status, 201, returnResponse.text);
  const jar = await signIn(customer);
  assert.match(await jar.text(`/carteira/compras/${hash}`), /Devoluções.*O forno chegou riscado/s);
  const [row] = /<li class="card row">.*?<\/li>/s.exec(await jar.text('/carteira'))!;
  assert.match(row, /Devolvida/);
  assert.doesNotMatch(row, />Paga</);
  const message = await eventually('the message is sent', async () => {
    const { body } = await autopayDriver.callStaff(
      'GET',
      `/sandbox/messages?phone=${encodeURIComponent(customer.phone)}`,
    );
    return body.data.find(({ template }: { template: string }) => template === 'returned');
  });
  assert.match(message.text, /Motivo: O forno chegou riscado\./);
});

test('“Já paguei” says that the payment has not arrived yet; the reasons of a limit stay visible after a review is requested', async () => {
  const autopayDriver = createAutopayDriver(service);
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 60, installments: 2 });
  const jar = await signIn(customer);
  const fields = { chave: crypto.randomUUID(), type: 'settle', shown: '30' };
  const pixPage = readLocation(await jar.post(`/carteira/compras/${hash}/1/pix`, fields))!;
  const html = await jar.text(pixPage);
  assert.doesNotMatch(html, /ainda não recebemos/);
  const [, checkPath] = /href="([^"]*)">Já paguei/.exec(html)!;
  assert.match(await jar.text(checkPath!.replace(/#.*/, '')), /Às \d\d:\d\d ainda não recebemos este Pix/);
  await service.db.run(sql`
    insert into credit_standings (customer_id, limit_cents) values (${customer.id}, 1000000)
    on conflict (customer_id) do update set limit_cents = 1000000`);
  await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    values (${customer.id}, 'dec_00000000000000000000000002', 'growth', 'approved', 'approved', 1000000, 1000000, '{paid_on_time}', 1,
            '{"moment": "growth"}', ${service.clock.now()})`);
  assert.match(await jar.text('/carteira/limite'), /Você pagou as suas compras em dia/);
  await jar.post('/carteira/limite/analise', {});
  const creditPage = await jar.text('/carteira/limite');
  assert.match(creditPage, /Uma pessoa está analisando/);
  assert.match(creditPage, /Você pagou as suas compras em dia/);
});
