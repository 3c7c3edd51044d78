import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProblemError } from '#client';
import { sql } from '#platform/database/db.ts';
import { newCustomer, OPERATOR_KEY } from '../../../test/support/customers.ts';
import { toOfficeFieldErrors, toScreenText } from '../office/problem-texts.ts';
import { createStaffCaller } from './office-pages.ts';
import { createSignIn, openOfficeSite } from './office-testing.ts';

const { service, officeUrl } = await openOfficeSite();
const entered = createSignIn(officeUrl);
const staff = createStaffCaller(service);

/** The lines of a file without quotes in it, each as its cells. */
const cellsOf = (file: string) =>
  file
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));

/** Made of several fields, or a picture. */
const NOT_IN_FILES = [
  '/compras.csv? Parcelas',
  '/clientes.csv? Situação',
  '/imagens.csv? Imagem',
  '/trilha.csv? O que mudou',
];

test('the CSV of every list and report has the headings of its page, in Portuguese, each once', async () => {
  const { DOWNLOADS } = await import('../office/routes.ts');
  const jar = await entered('admin');
  const files = Object.keys(DOWNLOADS).filter((path) => path.endsWith('.csv'));
  assert.ok(files.length > 35);
  const odd: string[] = [];
  for (const path of files) {
    const [headings = []] = cellsOf(await jar.text(path));
    assert.ok(headings.length > 1, path);
    const page = await jar.text(path.replace('.csv', ''));
    const shown = Array.from(page.matchAll(/<th scope="col"[^>]*>([^<]+)</g), ([, title]) => title!);
    if (!path.startsWith('/relatorios'))
      odd.push(...shown.filter((one) => !headings.includes(one)).map((one) => `${path}? ${one}`));
    const isOdd = (one: string, i: number) => !/^[A-ZÀ-Ý%]/.test(one) || headings.indexOf(one) !== i;
    odd.push(...headings.filter(isOdd).map((one) => `${path}: ${one}`));
  }
  assert.deepEqual(
    odd.filter((one) => !NOT_IN_FILES.includes(one)),
    [],
  );
});

test('a CSV file uses the words of its page and São Paulo time, and contains all filtered rows', async () => {
  const jar = await entered('finance');
  const filter = 'status=overdue&limit=100';
  const { data } = (await staff('GET', `/admin/checkouts?${filter}`)).body;
  const response = await jar.send('/compras.csv?status=overdue');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="compras.csv"');
  const file = Buffer.from(await response.arrayBuffer()).toString();
  assert.ok(file.startsWith('\ufeffCompra;'), 'a spreadsheet takes it for UTF-8');
  const [headings, ...rows] = cellsOf(file);
  assert.equal(rows.length, data.length);
  const of = (row: string[], title: string) => row[headings!.indexOf(title)];
  const [row, purchase] = [rows[0]!, data[0]];
  assert.equal(row.length, headings!.length);
  assert.equal(of(row, 'Compra'), purchase.hash);
  assert.equal(of(row, 'Cliente (id)'), purchase.customer_id);
  assert.equal(of(row, 'Situação'), 'Em atraso');
  assert.equal(of(row, 'Financiado'), purchase.amounts.financed.toFixed(2).replace('.', ','));
  const at = new Date(Date.parse(purchase.purchased_at) - 3 * 3_600_000).toISOString();
  assert.equal(of(row, 'Comprada'), at.slice(0, 19).replace('T', ' '), 'Brasília is three hours behind UTC');

  const payouts = cellsOf(await jar.text('/repasses.csv'))[0]!;
  for (const title of ['Repasse', 'Situação', 'Valor', 'Referência', 'Motivo', 'Chave PIX', 'Titular'])
    assert.ok(payouts.includes(title), title);

  const refusal = await jar.send('/compras.csv?from=ontem');
  assert.equal(refusal.headers.get('location'), '/compras?from=ontem', 'the page says why');
  const keys = await (await entered('support')).send('/tarefas.csv');
  assert.equal(keys.headers.get('location'), '/tarefas');
});

test('however a file is split into chunks, its cells stay complete, with quotes, line breaks and accents', async () => {
  const { toCsvDownload } = await import('../office/csv.ts');
  const names: Record<string, string> = { paid: 'Pago; todo', open: 'Em dia' };
  const columns = [
    { title: 'Situação', csvField: 'status', formatForCsv: (cell: string) => names[cell] ?? cell },
  ];
  const written =
    '\ufeffid;status;note;created_at;listed\r\n' +
    '1;paid;"Disse ""não""; e saiu\r\nàs 9";2026-11-15T02:05:00.000Z;true\r\n' +
    ';"a;b";paid;;false\r\n';
  const expected =
    '\ufeffId;Situação;Anotação;Criado em;No site\r\n' +
    '1;"Pago; todo";"Disse ""não""; e saiu\r\nàs 9";2026-11-14 23:05:00;Sim\r\n' +
    ';"a;b";paid;;Não\r\n';
  const bytes = Buffer.from(written);
  for (let at = 0; at <= bytes.length; at += 1) {
    async function* parts() {
      yield bytes.subarray(0, at);
      yield bytes.subarray(at);
    }
    let out = '';
    for await (const part of toCsvDownload('/x', columns, { headers: {}, body: parts() }).body) out += part;
    assert.equal(out, expected, `cut at ${at}`);
  }
});

test('the audit trail page is in Portuguese: the name of the author, a link to the record, and changed amounts in Brazilian format', async () => {
  const { describeAction: actionInWords, SUBJECT_KIND_LABELS: KIND_NAMES } = await import(
    '../office/audit-trail.tsx'
  );
  const { operations } = await import('../../../packages/staff-client/src/operations.ts');
  const untold = Object.entries(operations).filter(
    ([id, { method }]) => method !== 'GET' && actionInWords(id) === id,
  );
  assert.deepEqual(untold, [], 'every operation that changes something has words');
  const { id } = (await staff('POST', '/admin/staff', { name: 'Rita Melo', role: 'viewer' })).body;
  await staff('PATCH', `/admin/staff/${id}`, { role: 'finance' });
  const plan = { max_amount: 1234.5, merchant_fee_percent: 2.5 };
  await staff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { plan });
  const jar = await entered('admin');
  const page = (await jar.text('/trilha')).replaceAll('\u00a0', ' ');
  assert.match(page, /Mudou<\/td><td>Loja <a href="\/lojas\/padaria-flor-do-trigo">/);
  assert.match(page, /Valor máximo: <b class="figure">R\$ 5\.000,00 → R\$ 1\.234,50</);
  assert.match(page, /Taxa da loja: <b class="figure">3% → 2,5%</);
  assert.match(page, /Papel: <b class="figure">Leitura → Financeiro</);
  const { data } = (await staff('GET', '/admin/audit-trail?limit=100')).body as {
    data: Array<{ subject: string; action: string }>;
  };
  assert.deepEqual(
    data.filter(
      ({ subject, action }) => !(subject.split(':')[0]! in KIND_NAMES) || actionInWords(action) === action,
    ),
    [],
  );
  const [headings, row] = cellsOf(await jar.text('/trilha.csv?subject=merchant'));
  const at = (title: string) => row![headings!.indexOf(title)];
  assert.deepEqual([at('Fez'), at('Em')], ['Mudou', 'Loja:padaria-flor-do-trigo']);
  assert.match(
    await jar.text('/trilha?subject=merchant:padaria-flor-do-trigo'),
    /<option selected>merchant:/,
  );
});

test('today’s page shows the weeks up to now, and links to the refunds that need a manual decision', async () => {
  const jar = await entered('admin');
  const { on, weekly } = (await staff('GET', '/admin/today')).body;
  const page = await jar.text('/');
  const weeks = Array.from(page.matchAll(/pagamentos\?from=(\d{4}-\d\d-\d\d)/g), ([, week]) => week!);
  assert.ok(
    weekly.data.some(({ week }: { week: string }) => week > on),
    'there are weeks to come',
  );
  assert.ok(weeks.length > 0 && weeks.every((week) => week <= on), weeks.join());
  assert.match(page, /href="\/estornos\?status=given_up"/);
});

test('texts of the API with values, patterns and field names are shown in the words of the screen', () => {
  assert.equal(toScreenText('deve seguir o padrão ^[a-z0-9]+'), 'não está no formato esperado');
  assert.equal(
    toScreenText('Situação deve ser um destes: waiting, approved'),
    'Situação não é uma das opções',
  );
  assert.equal(
    toScreenText('page passa de 10000 linhas: siga com `after`'),
    'page passa de 10000 linhas: use filtros',
  );
});

test('no pattern, enum value or field name in a problem of the API reaches a screen', () => {
  const toTexts = (pointer: string, message: string, fields: string[] = []) =>
    toOfficeFieldErrors(new ProblemError(422, { errors: [{ pointer, message }] }), fields);
  assert.deepEqual(toTexts('/policy/rules/idade', 'não é um campo conhecido', ['rules']), {
    rules: 'não existe',
  });
  assert.deepEqual(toTexts('/policy/rules/idade', 'não é um campo conhecido'), {
    form: 'Regras: não existe',
  });
  assert.deepEqual(toTexts('/events/1', 'deve ser um destes: a, b'), {
    form: 'Eventos: não é uma das opções',
  });
  assert.deepEqual(toTexts('/unheard', 'deve seguir o padrão ^x$'), { form: 'não está no formato esperado' });
  assert.equal(
    toScreenText("policy_version: '1' já está na linha 3"),
    "Versão da política: '1' já está na linha 3",
  );
  assert.deepEqual(toOfficeFieldErrors(new ProblemError(409, { detail: "O repasse já é 'failed'." })), {
    form: 'O repasse já é Falhou.',
  });
});

test('record pages show amounts, complete ids and titles as their fields do', async () => {
  const jar = await entered('admin');
  const { data } = (await staff('GET', '/admin/checkouts?status=overdue&limit=1')).body;
  const [{ hash, customer_id }] = data;
  const purchase = await jar.text(`/compras/${hash}`);
  assert.ok(purchase.includes(`<dd><code>${hash}</code></dd>`));
  assert.match(purchase, /<dt>Vencido<\/dt><dd><span class="figure">R\$/);
  assert.ok((await jar.text(`/clientes/${customer_id}`)).includes(`<dd><code>${customer_id}</code></dd>`));
  assert.match(await jar.text('/politica'), /<dt>Primeiro limite<\/dt><dd><span class="figure">R\$/);
  assert.match(
    await jar.text('/relatorios/resultado'),
    /Perdas<\/td><td class="number"><span class="figure">-?R\$/,
  );
});

test('screens that once showed values, paths and names of the API say them in Portuguese', async () => {
  const jar = await entered('admin');
  const { id } = await newCustomer(service);
  await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    values (${id}, 'dec_00000000000000000000000009', 'signup', 'declined', 'declined', 0, 0, '{}', 1, '{"moment": "signup"}', now())`);
  const send = async (path: string, fields: Record<string, string>) => {
    const [, version = ''] = /name="versao" value="([^"]*)"/.exec(await jar.text(path)) ?? [];
    const versao = version.replaceAll('&quot;', '"');
    return (await jar.post(path, { versao, chave: crypto.randomUUID(), ...fields })).text();
  };
  const approved = await send('/decisoes/dec_00000000000000000000000009/aprovar', {
    limit: '',
    reason: 'Sim',
  });
  assert.match(approved, /A decisão já foi tomada: recusada/);
  const partner = (await staff('GET', '/admin/partners')).body.data[0].id;
  const webhook = { partner, url: 'https://loja.example/aviso', events: 'pix.paid nada.disso' };
  assert.match(await send('/webhooks/novo', webhook), />não é uma das opções</);
  assert.match(await jar.text('/repasses?status=xx'), /“Situação” não é uma das opções/);
  assert.match(await jar.text('/devolucoes'), /Nenhuma linha\.</, 'without a filter');
  assert.match(await jar.text('/categorias?q=zzz'), /Nenhuma linha com estes filtros/);
  assert.match(await jar.text('/repasses/retorno'), /com Situação \(pago ou falhou\), Referência e Motivo/);
  const paid = /<tr[^>]*>(?:(?!<\/tr>).)*Quitada.*?<\/tr>/s.exec(await jar.text('/compras?status=paid'))![0];
  assert.doesNotMatch(paid, /nenhum/, 'the next due day of a paid purchase is blank');
  await service.db.run(sql`update pix_refunds set reason = 'MED_FRAUDE'`);
  assert.doesNotMatch(await jar.text('/estornos'), /MED_FRAUDE/);
  for (const path of ['/admin/checkouts?status=overdue&sort=oldest', '/admin/reports/portfolio'])
    await service.staff('GET', path, { key: OPERATOR_KEY, headers: { accept: 'text/csv' } });
  const trail = await jar.text('/trilha');
  assert.match(
    trail,
    /Situação: <b class="figure">Em atraso<.*Ordem: <b class="figure">Mais antigos primeiro</s,
  );
  assert.doesNotMatch(trail, /Arquivo CSV (?:get|list)/);
  const { LISTS } = await import('../office/routes.ts');
  for (const { path } of LISTS)
    assert.doesNotMatch(
      await jar.text(path),
      /Outro dado|undefined|\[object/,
      `${path} has a field without a label`,
    );
});
