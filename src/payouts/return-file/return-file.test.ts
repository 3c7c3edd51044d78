/** The bank's return file marks each payout exactly as reported, or not at all. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { runCli } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { createPurchaseDriver, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { newStaffUser } from '../../../test/support/staff.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;
type Payout = { id: string; merchant: string; amount: number };

const callStaffApi = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

async function sendFile(file: string | Buffer, query = '', key = OPERATOR_KEY): Promise<Body> {
  const response = await fetch(`${service.staffUrl}/admin/payouts/return-file?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/plain', 'accept-language': 'pt-BR' },
    body: new Uint8Array(Buffer.from(file as string)),
  });
  return { status: response.status, ...((await response.json()) as object) };
}
const sendCnab = (file: string, extraQuery = '') =>
  sendFile(Buffer.from(file, 'latin1'), `format=cnab240&encoding=latin1${extraQuery}`);

const getOutcomes = ({ data }: Body): string[] => data.map(({ outcome }: Body) => outcome);

let merchantCount = 0;
const customer = await driver.createCustomer({ limitReais: 1_000_000 });
await callStaffApi('POST', '/admin/payouts', {}); // Settles the due lines of the demo data.

/** Creates a payout for each of these amounts, each for a new merchant. */
async function createPayouts(...amounts: number[]): Promise<Payout[]> {
  const slugs: string[] = [];
  for (const amount of amounts) {
    const slug = `loja-${String(++merchantCount).padStart(3, '0')}`;
    slugs.push(slug);
    await service.db.run(sql`
      insert into merchants (slug, name, name_key, category_slug, merchant_fee_percent, payout_days)
      values (${slug}, ${`Loja ${merchantCount}`}, ${slug}, 'padarias', 0, 0)`);
    await driver.sell(customer, { merchant: slug, amount });
  }
  const { body } = await callStaffApi('POST', '/admin/payouts', { until: '2100-01-01' });
  // Omits payouts of amounts that are owed again because an earlier payout failed.
  return body.data.filter(({ merchant }: Payout) => slugs.includes(merchant));
}

/** Returns the status of a payout, and its reference or the reason of the failure. */
const getState = async (id: string): Promise<Body> => {
  const { body } = await callStaffApi('GET', `/admin/payouts/${id}`);
  return [body.status, body.reference ?? body.reason];
};
const countPaidEvents = (id: string) =>
  service.db.value<number>(
    sql`select count(*) from global_events where type = 'payout.paid' and data->>'payout_id' = ${id}`,
  );

/** The positions of fields in FEBRABAN's specification. The first character is 1. */
const POSITIONS = {
  payee: 44,
  company: 73,
  payoutNumber: 74,
  dueDay: 94,
  amount: 120,
  bankReference: 135,
  direction: 143,
  paymentDay: 155,
  paidAmount: 163,
  resultCodes: 231,
};
function writeFields(record: string, fields: Partial<Record<keyof typeof POSITIONS, string>>): string {
  const characters = [...record];
  for (const [name, text] of Object.entries(fields))
    characters.splice(POSITIONS[name as keyof typeof POSITIONS] - 1, text.length, ...text);
  return characters.join('');
}
const RECORD_LENGTH = 240;
const padRecord = (start: string) => start.padEnd(RECORD_LENGTH);
const FROM_BANK = '2';
const TO_BANK = '1';
const buildHeader = (direction = FROM_BANK) =>
  writeFields(padRecord('00100000'), { company: 'SEMANA PAGAMENTOS LTDA', direction });
const BATCH_HEADER = padRecord('00100011C2045');
const SEGMENT_B = padRecord('0010001300002B');
const BATCH_TRAILER = padRecord('00100015');
const FILE_TRAILER = padRecord('00199999');

/** The length of a record with its line break. */
const RECORD_AND_BREAK_LENGTH = RECORD_LENGTH + '\r\n'.length;

type Segment = { codes: string; cents?: number; paidCents?: number; bankReference?: string };
function buildSegmentA(
  { id, amount }: Payout,
  { codes, cents, paidCents = 0, bankReference = 'BB 0001' }: Segment,
) {
  const formatCents = (amountCents: number) => String(amountCents).padStart(15, '0');
  return writeFields(padRecord('0010001300001A000'), {
    payee: 'Pão de Açúcar & Irmãos',
    payoutNumber: id.slice(-20).toUpperCase(),
    dueDay: '01032027BRL',
    amount: formatCents(cents ?? Math.round(amount * 100)),
    bankReference,
    paymentDay: '01032027',
    paidAmount: formatCents(paidCents),
    resultCodes: codes,
  });
}
const buildCnab = (...records: string[]) =>
  [
    buildHeader(),
    BATCH_HEADER,
    ...records.flatMap((record) => [record, SEGMENT_B]),
    BATCH_TRAILER,
    FILE_TRAILER,
  ].join('\r\n');

test('CSV: the exported list, filled in, is accepted as csv=br and csv=plain; a bad line does not affect others, and repeating the file changes nothing', async () => {
  const [paidPayout, failedPayout, pendingPayout, otherAmountPayout, noReferencePayout, unknownStatusPayout] =
    await createPayouts(10, 20, 30, 40, 50, 1060.5);
  const list = await fetch(`${service.staffUrl}/admin/payouts?status=pending&sort=oldest&csv=br`, {
    headers: { 'x-api-key': OPERATOR_KEY },
  });
  const [heading, ...rows] = (await list.text()).trim().split('\r\n');
  const columnNames = heading!.replace('\ufeff', '').split(';');
  assert.equal(columnNames.at(-1), 'bank_number');
  const fillRow = (id: string, changes: Record<string, string>) => {
    const cells = rows.find((row) => row.startsWith(id))!.split(';');
    for (const [name, value] of Object.entries(changes)) cells[columnNames.indexOf(name)] = value;
    return [...cells, 'algo do banco'].join(';');
  };
  const file = [
    `${heading};observações`,
    // The apostrophe prevents spreadsheets from reading a formula, and is not part of the reference.
    fillRow(paidPayout!.id, { status: 'PAGO', reference: "'+TED 1" }),
    fillRow(failedPayout!.id, { status: 'falhou', reason: '"Conta encerrada; avisar à loja"' }),
    fillRow(pendingPayout!.id, {}),
    fillRow(otherAmountPayout!.id, { status: 'pago', reference: 'TED 4', amount: '39,99' }),
    fillRow(noReferencePayout!.id, { status: 'paid' }),
    fillRow(unknownStatusPayout!.id, { status: 'devolvido' }),
    'pay_00000000000000000000000000;x',
    fillRow(paidPayout!.id, { status: 'pago', reference: 'TED 9', id: 'pay_00000000000000000000000000' }),
  ].join('\r\n');
  const latin1 = Buffer.from(file.replace('\ufeff', ''), 'latin1');

  const dryRunResponse = await sendFile(latin1, 'encoding=latin1&dry_run=true');
  assert.equal(dryRunResponse.status, 200, JSON.stringify(dryRunResponse));
  const badOutcomes = ['bad', 'bad', 'bad', 'bad', 'bad'];
  assert.deepEqual(getOutcomes(dryRunResponse), ['paid', 'failed', 'waiting', ...badOutcomes]);
  const { paid, failed, waiting, bad } = dryRunResponse.totals;
  assert.deepEqual(
    [paid, failed, waiting, bad.lines],
    [{ lines: 1, amount: 10 }, { lines: 1, amount: 20 }, { lines: 1, amount: 30 }, 5],
  );
  assert.deepEqual(await getState(paidPayout!.id), ['pending', null]);

  const response = await sendFile(latin1, 'encoding=latin1');
  assert.deepEqual(response, dryRunResponse);
  assert.deepEqual(await getState(paidPayout!.id), ['paid', '+TED 1']);
  assert.deepEqual(await getState(failedPayout!.id), ['failed', 'Conta encerrada; avisar à loja']);
  for (const { id } of [pendingPayout!, otherAmountPayout!, noReferencePayout!, unknownStatusPayout!])
    assert.deepEqual(await getState(id), ['pending', null]);
  assert.deepEqual(
    response.data
      .filter(({ outcome }: Body) => outcome === 'bad')
      .map(({ line, payout, message }: Body) => [line, payout, message]),
    [
      [
        5,
        otherAmountPayout!.id,
        'O arquivo diz R$ 39,99, o repasse é de R$ 40,00. Pergunte ao banco e marque à mão.',
      ],
      [6, noReferencePayout!.id, 'Pago, mas sem um comprovante do banco (reference) de 1 a 100 caracteres.'],
      [7, unknownStatusPayout!.id, "O status é 'devolvido'; deve ser pago, falhou ou pendente."],
      [8, null, 'o cabeçalho tem 16 colunas, esta linha tem 2'],
      [
        9,
        null,
        "Nenhum repasse tem o id ou número 'pay_00000000000000000000000000'. Veja se o arquivo é de outra empresa.",
      ],
    ],
  );

  const repeatedResponse = await sendFile(latin1, 'encoding=latin1');
  assert.deepEqual(getOutcomes(repeatedResponse), ['already', 'already', 'waiting', ...badOutcomes]);
  const plainCsv = await (
    await fetch(`${service.staffUrl}/admin/payouts?csv=plain`, { headers: { 'x-api-key': OPERATOR_KEY } })
  ).text();
  const ownListResponse = await sendFile(plainCsv);
  assert.deepEqual(
    [...new Set(getOutcomes(ownListResponse))].toSorted(),
    ['already', 'waiting'],
    'the service reads its own list',
  );
  assert.equal(await countPaidEvents(paidPayout!.id), 1);
  const trail = (await callStaffApi('GET', `/admin/audit-trail?subject=payout:${failedPayout!.id}&limit=10`))
    .body.data;
  const trailAfterCreation = trail.slice(0, -1);
  assert.deepEqual(
    trailAfterCreation.map(({ action, reason }: Body) => [action, reason]),
    [['markPayoutsByFile', 'Conta encerrada; avisar à loja']],
  );
  assert.deepEqual(await driver.listMismatches(), []);
});

test('CNAB 240: 00 means paid, BD waiting, a refusal code failed with its text; a person must check uncertain codes', async () => {
  type Case = [segment: Segment, outcome: string, message: string];
  const cases: Case[] = [
    [{ codes: '00', paidCents: 1000 }, 'paid', "Pago pelo banco como 'BB 0001'."],
    [{ codes: '00ZA' }, 'paid', "Pago pelo banco como 'BB 0001'."],
    [{ codes: 'BD' }, 'waiting', 'O banco recebeu (BD) e ainda não pagou.'],
    [
      { codes: 'ANPJ' },
      'failed',
      'Não pago pelo banco: AN Conta do favorecido inválida; PJ Chave Pix não cadastrada no DICT. O valor volta a ser devido.',
    ],
    [
      { codes: '00', paidCents: 999 },
      'bad',
      'De R$ 10,00, foram pagos R$ 9,99. Pergunte ao banco e marque à mão.',
    ],
    [
      { codes: '00', cents: 1001 },
      'bad',
      'O arquivo diz R$ 10,01, o repasse é de R$ 10,00. Pergunte ao banco e marque à mão.',
    ],
    [
      { codes: '00', bankReference: '0'.repeat(20) },
      'bad',
      'Pago, mas sem o número do banco. Marque à mão, com o comprovante do banco.',
    ],
    [{ codes: '' }, 'bad', 'O registro não tem código que diga o que houve. Pergunte ao banco.'],
    ...['00AG', 'BF', 'BB', 'X9', 'BDAG', '00A'].map(
      (codes): Case => [
        { codes },
        'bad',
        `Não é certo o que ${codes.match(/.{1,2}/g)!.join(' ')} diz do pagamento. Pergunte ao banco e marque à mão.`,
      ],
    ),
  ];
  const createdPayouts = await createPayouts(...cases.map(() => 10));
  const [paidPayout] = createdPayouts;
  const file = buildCnab(...cases.map(([segment], i) => buildSegmentA(createdPayouts[i]!, segment)));
  // Two header records come first, and a segment B follows each segment A.
  const expected = cases.map(([, outcome, message], i) => [
    3 + 2 * i,
    outcome,
    createdPayouts[i]!.id,
    message,
  ]);
  for (const mode of ['&dry_run=true', '']) {
    const response = await sendCnab(file, mode);
    assert.equal(response.status, 200, JSON.stringify(response));
    assert.deepEqual(
      response.data.map(({ line, outcome, payout, message }: Body) => [line, outcome, payout, message]),
      expected,
    );
    const isDryRun = mode !== '';
    assert.deepEqual(await getState(paidPayout!.id), isDryRun ? ['pending', null] : ['paid', 'BB 0001']);
  }
  const failedPayout = createdPayouts[cases.findIndex(([, outcome]) => outcome === 'failed')];
  assert.deepEqual(await getState(failedPayout!.id), [
    'failed',
    'AN Conta do favorecido inválida; PJ Chave Pix não cadastrada no DICT',
  ]);
  for (const [i, [, outcome]] of cases.entries())
    if (outcome === 'bad' || outcome === 'waiting')
      assert.deepEqual(await getState(createdPayouts[i]!.id), ['pending', null]);
  const trimmedFile = `${file.replaceAll(/ +(?=\r\n|$)/g, '')}\r\n\x1a`;
  assert.deepEqual(
    getOutcomes(await sendCnab(trimmedFile)),
    cases.map(([, outcome]) => (outcome === 'paid' || outcome === 'failed' ? 'already' : outcome)),
  );
  assert.deepEqual(await driver.listMismatches(), []);
});

test('a line that contradicts the recorded state changes nothing', async () => {
  const [firstPayout, secondPayout, paidPayout, failedPayout] = await createPayouts(11, 12, 13, 14);
  await callStaffApi('POST', `/admin/payouts/${paidPayout!.id}/paid`, { reference: 'TED 3' });
  await callStaffApi('POST', `/admin/payouts/${failedPayout!.id}/failed`, { reason: 'Conta encerrada' });
  const file = buildCnab(
    buildSegmentA(firstPayout!, { codes: 'BD' }),
    buildSegmentA(firstPayout!, { codes: '00' }),
    buildSegmentA(firstPayout!, { codes: '00' }),
    buildSegmentA(firstPayout!, { codes: 'AG' }),
    buildSegmentA(secondPayout!, { codes: 'AG' }),
    buildSegmentA(secondPayout!, { codes: '00' }),
    buildSegmentA(paidPayout!, { codes: '00' }),
    buildSegmentA(paidPayout!, { codes: 'AG' }),
    buildSegmentA(failedPayout!, { codes: '00' }),
    buildSegmentA(failedPayout!, { codes: 'AG' }),
  );
  const expected = [
    ['waiting', 'paid', 'already', 'bad'], // of the first payout
    ['failed', 'bad'],
    ['bad', 'bad'], // of the payout that is recorded as paid
    ['bad', 'already'],
  ].flat();
  assert.deepEqual(getOutcomes(await sendCnab(file, '&dry_run=true')), expected);
  const response = await sendCnab(file);
  assert.deepEqual(getOutcomes(response), expected);
  const findBadMessage = (payout: Payout | undefined) =>
    response.data.find((line: Body) => line.outcome === 'bad' && line.payout === payout!.id).message;
  assert.match(findBadMessage(paidPayout), /pago com 'TED 3', o arquivo diz 'BB 0001'.*duas vezes/);
  assert.match(findBadMessage(failedPayout), /falhou \(Conta encerrada\), e o arquivo diz que foi pago/);
  assert.deepEqual(await getState(paidPayout!.id), ['paid', 'TED 3']);
  assert.deepEqual(await getState(failedPayout!.id), ['failed', 'Conta encerrada']);
  assert.deepEqual(await driver.listMismatches(), []);
});

test('three concurrent uploads mark each payout and emit its event once', async () => {
  const paidPayouts = await createPayouts(15, 15, 15);
  const failedPayouts = await createPayouts(15, 15, 15);
  const file = buildCnab(
    ...paidPayouts.map((payout) => buildSegmentA(payout, { codes: '00' })),
    ...failedPayouts.map((payout) => buildSegmentA(payout, { codes: 'AG' })),
  );
  const responses = await Promise.all([sendCnab(file), sendCnab(file), sendCnab(file)]);
  const outcomesByLine = [...paidPayouts, ...failedPayouts].map((_, i) =>
    responses.map((response) => getOutcomes(response)[i]!).toSorted(),
  );
  assert.deepEqual(outcomesByLine, [
    ...paidPayouts.map(() => ['already', 'already', 'paid']),
    ...failedPayouts.map(() => ['already', 'already', 'failed']),
  ]);
  for (const { id } of paidPayouts) assert.equal(await countPaidEvents(id), 1);
  for (const { id } of failedPayouts) assert.equal(await countPaidEvents(id), 0);
  assert.deepEqual(await driver.listMismatches(), []);
});

test('an invalid file or request is rejected as a whole, marks nothing, and never causes a 500', async () => {
  const [payout] = await createPayouts(16);
  const row = `id,status,reference\n${payout!.id},paid,TED 1\n`;
  const paidRecord = buildSegmentA(payout!, { codes: '00' });
  const refusedFiles: Array<[response: Body, detail: RegExp]> = [
    [await sendFile(''), /está vazio/],
    [await sendFile('nada;aqui\r\n1;2\r\n'), /Falta na primeira linha: 'id', 'status'/],
    [await sendFile(`id,status,status\n${payout!.id},paid,failed\n`), /'status' mais de uma vez/],
    [await sendFile(Buffer.from(`${row}é`, 'latin1')), /não está em UTF-8/],
    [await sendFile(row + `${payout!.id},paid,TED 1\n`.repeat(1_000)), /mais de 1000 linhas/],
    [await sendFile(row, 'format=cnab240'), /linha 1 não é um registro CNAB 240/],
    [
      await sendCnab(buildCnab(paidRecord).replace(buildHeader(), buildHeader(TO_BANK))),
      /não é um retorno do banco/,
    ],
    [await sendCnab(buildCnab(paidRecord).slice(0, -RECORD_AND_BREAK_LENGTH)), /está cortado/],
    [await sendCnab(buildCnab(paidRecord).slice(RECORD_AND_BREAK_LENGTH)), /não começa com o cabeçalho/],
    [await sendCnab(buildCnab()), /não tem pagamento/],
    [await sendCnab(buildCnab(`${paidRecord}X`)), /linha 3 não é um registro/],
    [await sendCnab(''), /está cortado/],
  ];
  for (const [response, detail] of refusedFiles) {
    assert.deepEqual([response.status, response.code], [422, 'file_refused'], JSON.stringify(response));
    assert.match(response.detail, detail);
  }
  for (const query of ['dry_run=yes', 'format=xml', 'encoding=utf-16', 'dryrun=true']) {
    const response = await sendFile(row, query);
    assert.deepEqual([response.status, response.code], [400, 'validation_failed'], query);
  }
  assert.equal((await sendFile('x'.repeat(2 * 1024 * 1024 + 1))).status, 413);
  const oddFile = `id,status,reference,reason,amount\n${payout!.id},paid,"a\0b",,\n"\0",paid,x,,\n${payout!.id},paid,x,,1e9\n'; drop,failed,,y,\n`;
  assert.deepEqual(getOutcomes(await sendFile(oddFile)), ['bad', 'bad', 'bad', 'bad']);
  assert.deepEqual(await getState(payout!.id), ['pending', null]);

  const support = await newStaffUser(service, 'Sueli', 'support');
  const forbiddenResponse = await sendFile(row, 'dry_run=true', support.key);
  assert.deepEqual([forbiddenResponse.status, forbiddenResponse.code], [403, 'role_missing']);
});

test('a bank number that two payouts share matches neither payout; an id matches', async () => {
  const [payout] = await createPayouts(17);
  const { id } = payout!;
  const twinId = `pay_zzzzzz${id.slice(-20)}`;
  await service.db.run(sql`
    insert into payouts (id, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at)
    select ${twinId}, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at from payouts where id = ${id}`);
  const { data } = await sendCnab(buildCnab(buildSegmentA(payout!, { codes: '00' })));
  const [line] = data;
  assert.deepEqual([line.outcome, line.payout], ['bad', null]);
  const resultById = await sendFile(`id,status,reference\n${id},paid,TED 1\n${id.slice(-20)},paid,TED 1\n`);
  assert.deepEqual(getOutcomes(resultById), ['paid', 'bad']);
  assert.deepEqual(await getState(twinId), ['pending', null]);
  await service.db.run(sql`alter table payouts disable trigger payouts_append_only`);
  await service.db.run(sql`delete from payouts where id = ${twinId}`);
  await service.db.run(sql`alter table payouts enable trigger payouts_append_only`);
});

test('semana payouts return-file: prints each line and the totals, and exits with 1 if a line is bad', async () => {
  const [paidPayout, failedPayout] = await createPayouts(18, 19);
  const directory = await mkdtemp(join(tmpdir(), 'semana-return-'));
  after(() => rm(directory, { recursive: true, force: true }));
  const run = async (name: string, content: string, ...options: string[]) => {
    await writeFile(join(directory, name), content, 'latin1');
    const args = ['payouts', 'return-file', join(directory, name), '--encoding', 'latin1', ...options];
    return runCli(args, { SEMANA_URL: service.staffUrl });
  };
  const cnab240 = ['--format', 'cnab240'];
  const file = buildCnab(
    buildSegmentA(paidPayout!, { codes: '00' }),
    buildSegmentA(failedPayout!, { codes: 'AG' }),
  );
  const refusedOutcome = await run('a.ret', file, ...cnab240);
  assert.deepEqual([refusedOutcome.code, refusedOutcome.stdout], [2, '']);
  assert.match(refusedOutcome.stderr, /Use --yes to confirm/);
  const dryRunOutcome = await run('a.ret', file, ...cnab240, '--dry-run');
  assert.equal(dryRunOutcome.code, 0, dryRunOutcome.stderr);
  assert.match(
    dryRunOutcome.stdout,
    new RegExp(`^3 +paid +${paidPayout!.id} .*18\\.00 +Paid by the bank as 'BB 0001'`, 'm'),
  );
  assert.match(
    dryRunOutcome.stdout,
    new RegExp(`^5 +failed +${failedPayout!.id} .*19\\.00 +Not paid by the bank: AG`, 'm'),
  );
  assert.match(
    dryRunOutcome.stderr,
    /totals\.failed\.amount +19\.00[\s\S]*Nothing was changed \(--dry-run\)/,
  );
  assert.deepEqual(await getState(paidPayout!.id), ['pending', null]);
  assert.equal((await run('a.ret', file, ...cnab240, '--yes')).stdout, dryRunOutcome.stdout);
  assert.deepEqual(await getState(paidPayout!.id), ['paid', 'BB 0001']);
  const wrongOutcome = await run('b.csv', `id;status;reference\n${paidPayout!.id};pago;TED 7\n`, '--yes');
  assert.equal(wrongOutcome.code, 1, wrongOutcome.stderr);
  assert.match(wrongOutcome.stdout, /^2 +bad +pay_.*Ask the bank whether it was paid twice\.$/m);
  const noCnabOutcome = await run('c.txt', 'nada', ...cnab240, '--yes');
  assert.deepEqual([noCnabOutcome.code, noCnabOutcome.stderr], [1, 'Line 1 is not a CNAB 240 record.\n']);
});
