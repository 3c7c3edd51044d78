import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProblemError } from '#client';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { newCustomer, OPERATOR_KEY } from '../../../test/support/customers.ts';
import { toOfficeFieldErrors, toScreenText } from '../office/problem-texts.ts';
import { createStaffCaller } from './office-pages.ts';
import { createSignIn, openOfficeSite, readHiddenValues } from './office-testing.ts';

const { service, officeUrl } = await openOfficeSite();
const signInAs = createSignIn(officeUrl);
const callStaff = createStaffCaller(service);

/** Parses a file without quoted cells to rows of cells. */
const parseCells = (file: string) =>
  file
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));

/** Columns that are not in the files, because they combine several fields or show a picture. */
const COLUMNS_NOT_IN_FILES = [
  '/compras.csv? Parcelas',
  '/clientes.csv? Situação',
  '/imagens.csv? Imagem',
  '/trilha.csv? O que mudou',
];

test('effective settings are explained in Portuguese', async () => {
  const page = await (await signInAs('admin')).text('/ajustes');
  assert.match(page, />quanto uma loja pode dever, em reais;/);
  assert.doesNotMatch(page, /lang="en"|a merchant may owe/);
});

test('the CSV of every list and report has the headings of its page, in Portuguese, each once', async () => {
  const { DOWNLOADS } = await import('../office/routes.ts');
  const jar = await signInAs('admin');
  const files = Object.keys(DOWNLOADS).filter((path) => path.endsWith('.csv'));
  assert.ok(files.length > 35);
  /** Headings of a page that its file lacks ('PATH? TITLE'), and repeated or untranslated headings of a file ('PATH: TITLE'). */
  const wrongTitles: string[] = [];
  for (const path of files) {
    const [headings = []] = parseCells(await jar.text(path));
    assert.ok(headings.length > 1, path);
    const page = await jar.text(path.replace('.csv', ''));
    const pageHeadings = Array.from(page.matchAll(/<th scope="col"[^>]*>([^<]+)</g), ([, title]) => title!);
    if (!path.startsWith('/relatorios'))
      wrongTitles.push(
        ...pageHeadings.filter((title) => !headings.includes(title)).map((title) => `${path}? ${title}`),
      );
    const isWrong = (title: string, i: number) => !/^[A-ZÀ-Ý%]/.test(title) || headings.indexOf(title) !== i;
    wrongTitles.push(...headings.filter(isWrong).map((title) => `${path}: ${title}`));
  }
  assert.deepEqual(
    wrongTitles.filter((title) => !COLUMNS_NOT_IN_FILES.includes(title)),
    [],
  );
});

test('a CSV file uses the words of its page and São Paulo time, and contains all filtered rows', async () => {
  const jar = await signInAs('finance');
  const filter = 'status=overdue&limit=100';
  const { data } = (await callStaff('GET', `/admin/checkouts?${filter}`)).body;
  const response = await jar.send('/compras.csv?status=overdue');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="compras.csv"');
  const file = Buffer.from(await response.arrayBuffer()).toString();
  assert.ok(file.startsWith('\ufeffCompra;'), 'spreadsheets read it as UTF-8');
  const [headings, ...rows] = parseCells(file);
  assert.equal(rows.length, data.length);
  const getCell = (row: string[], title: string) => row[headings!.indexOf(title)];
  const [row, purchase] = [rows[0]!, data[0]];
  assert.equal(row.length, headings!.length);
  assert.equal(getCell(row, 'Compra'), purchase.hash);
  assert.equal(getCell(row, 'Cliente (id)'), purchase.customer_id);
  assert.equal(getCell(row, 'Situação'), 'Em atraso');
  assert.equal(getCell(row, 'Financiado'), purchase.amounts.financed.toFixed(2).replace('.', ','));
  const localTime = new Date(Date.parse(purchase.purchased_at) - 3 * HOUR_MS).toISOString();
  const expectedTime = localTime.slice(0, 'YYYY-MM-DD hh:mm:ss'.length).replace('T', ' ');
  assert.equal(getCell(row, 'Comprada'), expectedTime, 'Brasília is three hours behind UTC');

  const [payoutHeadings = []] = parseCells(await jar.text('/repasses.csv'));
  for (const title of ['Repasse', 'Situação', 'Valor', 'Referência', 'Motivo', 'Chave PIX', 'Titular'])
    assert.ok(payoutHeadings.includes(title), title);

  const refusedResponse = await jar.send('/compras.csv?from=ontem');
  assert.equal(refusedResponse.headers.get('location'), '/compras?from=ontem', 'the page says why');
  const forbiddenResponse = await (await signInAs('support')).send('/tarefas.csv');
  assert.equal(forbiddenResponse.headers.get('location'), '/tarefas');
});

/** Translates a file of the staff API whose only column with labels is the status. */
async function translateCsv(body: AsyncIterable<Uint8Array>): Promise<string> {
  const { toCsvDownload } = await import('../office/csv.ts');
  const labels: Record<string, string> = { paid: 'Pago; todo' };
  const columns = [
    { title: 'Situação', csvField: 'status', formatForCsv: (cell: string) => labels[cell] ?? cell },
  ];
  const chunks = await Array.fromAsync(toCsvDownload('/x', columns, { headers: {}, body }).body);
  return chunks.join('');
}

test('however a file is split into chunks, its cells stay complete, with quotes, line breaks and accents', async () => {
  const apiFile =
    '\ufeffid;status;note;created_at;listed\r\n' +
    '1;paid;"Disse ""não""; e saiu\r\nàs 9";2026-11-15T02:05:00.000Z;true\r\n' +
    ';"a;b";paid;;false\r\n';
  const officeFile =
    '\ufeffId;Situação;Anotação;Criado em;No site\r\n' +
    '1;"Pago; todo";"Disse ""não""; e saiu\r\nàs 9";2026-11-14 23:05:00;Sim\r\n' +
    ';"a;b";paid;;Não\r\n';
  const bytes = Buffer.from(apiFile);
  for (let splitIndex = 0; splitIndex <= bytes.length; splitIndex += 1) {
    async function* splitFile() {
      yield bytes.subarray(0, splitIndex);
      yield bytes.subarray(splitIndex);
    }
    assert.equal(await translateCsv(splitFile()), officeFile, `split at ${splitIndex}`);
  }
});

test('the last cell of a file without a final line break is translated', async () => {
  async function* readFile() {
    yield Buffer.from('id;status\r\n1;paid');
  }
  assert.equal(await translateCsv(readFile()), 'Id;Situação\r\n1;"Pago; todo"\r\n');
});

test('the audit trail page is in Portuguese: the name of the author, a link to the record, and changed amounts in Brazilian format', async () => {
  const { describeAction, SUBJECT_KIND_LABELS } = await import('../office/audit-trail.tsx');
  const { operations } = await import('../../../packages/staff-client/src/operations.ts');
  const operationsWithoutLabel = Object.entries(operations).filter(
    ([id, { method }]) => method !== 'GET' && describeAction(id) === id,
  );
  assert.deepEqual(operationsWithoutLabel, [], 'every operation that changes something has a label');
  const { id } = (await callStaff('POST', '/admin/staff', { name: 'Rita Melo', role: 'viewer' })).body;
  await callStaff('PATCH', `/admin/staff/${id}`, { role: 'finance' });
  const plan = { max_amount: 1234.5, merchant_fee_percent: 2.5 };
  await callStaff('PATCH', '/admin/merchants/padaria-flor-do-trigo', { plan });
  const jar = await signInAs('admin');
  const page = (await jar.text('/trilha')).replaceAll('\u00a0', ' ');
  assert.match(page, /Mudou<\/td><td>Loja <a href="\/lojas\/padaria-flor-do-trigo">/);
  assert.match(page, /Valor máximo: <b class="figure">R\$ 5\.000,00 → R\$ 1\.234,50</);
  assert.match(page, /Taxa da loja: <b class="figure">3% → 2,5%</);
  assert.match(page, /Papel: <b class="figure">Leitura → Financeiro</);
  const { data } = (await callStaff('GET', '/admin/audit-trail?limit=100')).body as {
    data: Array<{ subject: string; action: string }>;
  };
  assert.deepEqual(
    data.filter(
      ({ subject, action }) =>
        !(subject.replace(/:.*/, '') in SUBJECT_KIND_LABELS) || describeAction(action) === action,
    ),
    [],
  );
  const [headings, row] = parseCells(await jar.text('/trilha.csv?subject=merchant'));
  const getCell = (title: string) => row![headings!.indexOf(title)];
  assert.deepEqual([getCell('Fez'), getCell('Em')], ['Mudou', 'Loja:padaria-flor-do-trigo']);
  assert.match(
    await jar.text('/trilha?subject=merchant:padaria-flor-do-trigo'),
    /<option selected>merchant:/,
  );
});

test('today’s page shows the weeks up to now, and links to the refunds that need a manual decision', async () => {
  const jar = await signInAs('admin');
  const { on, weekly } = (await callStaff('GET', '/admin/today')).body;
  const page = await jar.text('/');
  const weeks = Array.from(page.matchAll(/pagamentos\?from=(\d{4}-\d\d-\d\d)/g), ([, week]) => week!);
  assert.ok(
    weekly.data.some(({ week }: { week: string }) => week > on),
    'the overview has future weeks',
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
  const jar = await signInAs('admin');
  const { data } = (await callStaff('GET', '/admin/checkouts?status=overdue&limit=1')).body;
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

test('values, paths and names of the API are shown in Portuguese', async () => {
  const jar = await signInAs('admin');
  const { id } = await newCustomer(service);
  await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    values (${id}, 'dec_00000000000000000000000009', 'signup', 'declined', 'declined', 0, 0, '{}', 1, '{"moment": "signup"}', now())`);
  const submitForm = async (path: string, fields: Record<string, string>) => {
    const [version = ''] = readHiddenValues(await jar.text(path), 'versao');
    return (await jar.post(path, { versao: version, chave: crypto.randomUUID(), ...fields })).text();
  };
  const approvalPage = await submitForm('/decisoes/dec_00000000000000000000000009/aprovar', {
    limit: '',
    reason: 'Sim',
  });
  assert.match(approvalPage, /A decisão já foi tomada: recusada/);
  const partnerId = (await callStaff('GET', '/admin/partners')).body.data[0].id;
  const webhook = { partner: partnerId, url: 'https://loja.example/aviso', events: 'pix.paid nada.disso' };
  assert.match(await submitForm('/webhooks/novo', webhook), />não é uma das opções</);
  assert.match(await jar.text('/repasses?status=xx'), /“Situação” não é uma das opções/);
  assert.match(await jar.text('/devolucoes'), /Nenhuma linha\.</, 'without a filter');
  assert.match(await jar.text('/categorias?q=zzz'), /Nenhuma linha com estes filtros/);
  assert.match(await jar.text('/repasses/retorno'), /com Situação \(pago ou falhou\), Referência e Motivo/);
  const paidPage = await jar.text('/compras?status=paid');
  const [paidRow] = /<tr[^>]*>(?:(?!<\/tr>).)*Quitada.*?<\/tr>/s.exec(paidPage)!;
  assert.doesNotMatch(paidRow, /nenhum/, 'the next due day of a paid purchase is blank');
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
