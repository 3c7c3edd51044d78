import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { openService, waitForLockWaits } from '../../test/harness.ts';
import { logInMember } from '../../test/members.ts';
import { MERCHANT_KEY } from '../../test/offer-driver.ts';
import { CALLBACK_SECRET, createPixDriver } from '../../test/pix-driver.ts';
import {
  ANA,
  assertRefused,
  getMe,
  logIn,
  newCode,
  newCpf,
  newPhone,
  vault,
} from '../../test/support/customers.ts';
import { TABLES_WITHOUT_PERSONAL_DATA } from '../../test/support/tables-without-personal-data.ts';
import {
  DEFAULT_PREFERENCES,
  savePreferences,
  savePushSubscription,
  saveRefusedAddress,
} from '../messages/preferences.ts';
import { listPersonalData } from '../modules.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);
const run = createCommandRunner(service);

const readTimeline = async (id: string): Promise<Array<{ text: string }>> =>
  (await pixDriver.callStaff('GET', `/admin/customers/${id}/story?limit=100`)).body.data;

const decryptCallbacks = async (): Promise<string[]> => {
  const callbacks = await service.db.rows<{ id: string; sealed: Buffer }>(
    sql`select id, sealed from pix_notices`,
  );
  return callbacks.map(({ id, sealed }) => vault.decryptPacked(sealed, id));
};

type NamedTable = { name: string };
const tableNames = (
  await service.db.rows<NamedTable>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`)
).map(({ name }) => name);
const declaredTables = listPersonalData('sandbox').flatMap((data) => Object.keys(data.tables ?? {}));

test('every table that may contain personal data declares its export and erasure', async () => {
  assert.deepEqual(
    tableNames.filter((name) => !declaredTables.includes(name) && !TABLES_WITHOUT_PERSONAL_DATA.has(name)),
    [],
    'add the table to personalData of its module, or to the list of tables without personal data',
  );
  assert.deepEqual(
    declaredTables.filter((name) => !tableNames.includes(name) || TABLES_WITHOUT_PERSONAL_DATA.has(name)),
    [],
  );
  const tables = await service.db.rows<NamedTable>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'customer_id'`);
  const views = new Set(['cashback_credits']);
  assert.deepEqual(
    tables.map(({ name }) => name).filter((name) => !declaredTables.includes(name) && !views.has(name)),
    [],
  );
});

/** Creates a customer with data in every module, who owes only for one purchase. */
async function newPersonWithData() {
  const person = {
    name: 'Quitéria Vasconcelos',
    phone: newPhone(),
    email: 'quiteria.vasconcelos@example.com',
    cpf: newCpf(),
    birth_date: '1987-04-03',
    password: 'cinco palavras ao acaso',
  };
  const { referral_code: code } = (
    await pixDriver.callStaff('GET', `/admin/customers/${encodeURIComponent(ANA.phone)}`)
  ).body;
  const createResponse = await service.staff('POST', '/admin/customers', {
    key: 'sandbox-operator-key',
    headers: { 'idempotency-key': person.cpf },
    body: { ...person, credit_limit: 1000, referral_code: code },
  });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id } = createResponse.body as { id: string };
  await service.db.run(sql`
    insert into terms_acceptances (customer_id, accepted_at, version, address)
    values (${id}, ${service.clock.now()}, '2026-11', '203.0.113.77')`);
  // Two leads: one has the phone of the person, the other the e-mail.
  await service.post('/public/leads', { kind: 'contato', name: person.name, phone: person.phone });
  await service.post('/public/leads', {
    kind: 'contato',
    name: person.name,
    email: person.email,
    message: 'Sou eu',
  });
  // A pending phone change.
  await pixDriver.callStaff('PATCH', `/admin/customers/${id}`, {
    name: 'Quitéria M. Vasconcelos',
    phone: newPhone(),
  });
  await newCode(service, person.phone);
  // Three offers: to the phone, claimed by its code, and (below) by staff.
  const offerInput = { phone: person.phone, amount: 50, installments: 2, description: 'Óculos de Quitéria' };
  const offerResponse = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  assert.equal(offerResponse.status, 201, offerResponse.text);
  const openOfferInput = {
    amount: 50,
    installments: 2,
    items: [{ name: 'Lentes de Quitéria', quantity: 1, amount: 50 }],
    return_url: 'http://localhost:3003/?para=Vasconcelos',
  };
  const { body: createdOffer } = await service.post('/merchant/offers', openOfferInput, {
    key: MERCHANT_KEY,
  });
  const claimResponse = await service.post(
    '/wallet/offers/claim',
    { code: createdOffer.code },
    { token: (await logIn(service, person)).token },
  );
  assert.equal(claimResponse.status, 200, claimResponse.text);
  const { token } = await logIn(service, person);
  // A credit decision with a reason, and a note of staff.
  const reviewResponse = await service.post('/wallet/credit/review', undefined, { token });
  const noteInput = { text: `${person.name} prefere ser chamada à tarde` };
  assert.equal((await pixDriver.callStaff('POST', `/admin/customers/${id}/notes`, noteInput)).status, 201);
  const declineInput = { reason: `${person.name} não confere` };
  const declineResponse = await pixDriver.callStaff(
    'POST',
    `/admin/credit-decisions/${reviewResponse.body.id}/decline`,
    declineInput,
  );
  assert.equal(declineResponse.status, 200, declineResponse.text);
  await service.db.run(sql`
    insert into credit_standings (customer_id, limit_cents) values (${id}, 1)`);
  await service.db.run(sql`
    insert into bureau_reports (customer_id, asked_at, consent, score, cpf_irregular)
    values (${id}, ${service.clock.now()}, '2026-11', 700, false)`);
  const staffOffer = { ...offerInput, merchant: 'padaria-flor-do-trigo', description: 'Armação de Quitéria' };
  assert.equal((await pixDriver.callStaff('POST', '/admin/offers', staffOffer)).status, 201);
  // A purchase with a contract, a write-off that was reversed, and a refused return.
  const checkout = await pixDriver.sell(person, {
    description: 'Remédio de Quitéria',
    terms: { cashback_percent: 5 },
  });
  const contractPath = `/wallet/checkouts/${checkout.hash}/contract`;
  assert.equal((await service.get(contractPath, { token })).status, 200);
  for (const action of ['write-off', 'reinstate']) {
    const body = { reason: 'Engano' };
    assert.equal(
      (await pixDriver.callStaff('POST', `/admin/checkouts/${checkout.hash}/${action}`, body)).status,
      200,
    );
  }
  await service.db.run(sql`
    insert into waiting_returns
      (id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents, reason, asked_at, asked_by,
       status, closed_at, closed_by, refusal)
    values (${newId('ret', service.clock.now())}, 1, 'loja', 'Loja', ${id}, ${checkout.hash}, 100, ${`Devolvido por ${person.name}`},
            ${service.clock.now()}, 'key_1', 'refused', ${service.clock.now()}, 'Ana', ${`${person.name} desistiu`})`);
  const now = service.clock.now();
  await service.db.transaction(async (tx) => {
    await savePreferences(tx, id, DEFAULT_PREFERENCES, now);
    await saveRefusedAddress(tx, {
      address: person.phone,
      channel: 'whatsapp',
      reason: 'twilio_63003',
      refusedAt: now,
    });
    const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } };
    await savePushSubscription(tx, { customerId: id, subscription, createdAt: now });
    await tx.run(sql`
      insert into provider_messages (provider_id, customer_id, message_id, created_at)
      values ('SM1', ${id}, 'msg_1', ${now})`);
    await tx.run(sql`
      insert into calendar_feeds (secret_hash, customer_id, created_at) values ('\\x01', ${id}, ${now})`);
  });
  await service.db.run(sql`
    insert into approvals (id, kind, amount_cents, subject, reason, status, asked_by, asked_at, request_hash)
    values ('apr_of_quiteria', 'limit', 100, ${id}, ${`Pedido de ${person.name}`}, 'waiting', 'stf_1',
            ${service.clock.now()}, ${Buffer.of(1)})`);
  const adjustmentInput = { amount: 1, reason: `Agrado para ${person.name}` };
  assert.equal(
    (await pixDriver.callStaff('POST', `/admin/cashback/${id}/adjust`, adjustmentInput)).status,
    201,
  );
  const membersPath = '/admin/merchants/otica-lume/members';
  const ownerInput = { name: 'Outra Dona', phone: newPhone(), role: 'owner' };
  assert.equal((await pixDriver.callStaff('POST', membersPath, ownerInput)).status, 201);
  const { name, phone } = person;
  const memberResponse = await pixDriver.callStaff('POST', membersPath, { name, phone, role: 'clerk' });
  await logInMember(service, phone);
  assert.equal((await pixDriver.callStaff('DELETE', `${membersPath}/${memberResponse.body.id}`)).status, 204);
  return { ...person, id, checkout, installmentId: checkout.installments[0].id as string };
}

/** Lists the tables and encrypted columns that contain one of the texts. */
async function findTextsInAllTables(texts: readonly string[]): Promise<string[]> {
  const matches: string[] = [];
  const collectMatches = (place: string, content: string) => {
    for (const text of texts)
      if (content.toLowerCase().includes(text.toLowerCase())) matches.push(`${place}: ${text}`);
  };
  for (const [name, { encryptedColumns = [] }] of listPersonalData('sandbox').flatMap(({ tables = {} }) =>
    Object.entries(tables),
  )) {
    const statement = { text: `select * from ${name}`, values: [], name: `all of ${name}` };
    for (const row of await service.db.rows<Record<string, unknown>>(statement))
      for (const { column, encryption } of encryptedColumns) {
        const ciphertext = row[column] as Buffer | null;
        const rowId = row[encryption.rowIdColumn] as string;
        if (ciphertext)
          collectMatches(`${name}.${column}`, JSON.stringify(encryption.decrypt(vault, rowId, ciphertext)));
      }
  }
  for (const name of tableNames) {
    const statement = { text: `select t::text as text from ${name} t`, values: [], name: `dump ${name}` };
    for (const { text } of await service.db.rows<{ text: string }>(statement)) collectMatches(name, text);
  }
  return [...new Set(matches)];
}

test('an export has all data of a person, decrypted and without secrets; an erasure deletes all identifying data and keeps the ledger balanced', async () => {
  const person = await newPersonWithData();
  const path = `/admin/customers/${person.id}`;
  const erase = () => pixDriver.callStaff('POST', `${path}/erase`, { reason: 'Pedido do titular' });

  const refusedErasure = await erase();
  assertRefused(refusedErasure, 409, 'money_owed');
  assert.match(refusedErasure.body.detail, /not paid/);
  // Creates an autopay authorisation; its first debit exists only after some days.
  const requestResponse = await service.call('POST', `/wallet/checkouts/${person.checkout.hash}/autopay`, {
    token: (await logIn(service, person)).token,
  });
  assert.equal(requestResponse.status, 201, requestResponse.text);
  const charge = await pixDriver.createCharge(person, person.installmentId, 'settle');
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(person, charge.id, 'paid');
  await pixDriver.waitForJobs();
  const { installments } = await pixDriver.sell(await pixDriver.createCustomer());
  for (const installment_id of [installments[0].id, person.installmentId]) {
    const moveInput = { installment_id, reason: `Era de ${person.name}` };
    const moveResponse = await pixDriver.callStaff(
      'POST',
      `/admin/pix/payments/${endToEndId}/move`,
      moveInput,
    );
    assert.equal(moveResponse.status, 201, moveResponse.text);
  }
  const pagador = { nome: person.name, cpf: person.cpf };
  const otherPayment = { txid: 'x'.repeat(32), endToEndId: 'E1', pagador: { nome: 'Outra Pessoa' } };
  const callback = { pix: [{ txid: charge.txid, endToEndId, pagador }, otherPayment] };
  assert.equal(
    (await service.post(`/psp/callback/${CALLBACK_SECRET}/pix`, callback, { key: null })).status,
    200,
  );
  await pixDriver.waitForJobs();
  const { token } = await logIn(service, person);

  const { status, body: exportedData, text } = await pixDriver.callStaff('GET', `${path}/export`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(exportedData.tables).toSorted(), declaredTables.toSorted());
  const [customer] = exportedData.tables.customers;
  assert.deepEqual([customer.cpf, customer.birth_date], [person.cpf, person.birth_date]);
  assert.ok(
    !/argon2|password_hash|refresh_hash|token_hash|code_hash|sealed/.test(text),
    'no internal secrets',
  );
  const emptyTables = Object.keys(exportedData.tables).filter(
    (name) => exportedData.tables[name].length === 0,
  );
  const possiblyEmptyTables = [
    'attempt_windows',
    'credit_changes',
    'event_outbox',
    'partner_events',
    'pix_debits',
    'pix_discrepancies',
    'pix_refunds',
    'returns',
    'invitations',
  ];
  assert.deepEqual(
    emptyTables.filter((name) => !possiblyEmptyTables.includes(name)),
    [],
  );
  assert.equal(exportedData.tables.leads.length, 2);
  assert.equal(
    exportedData.tables.offers.length,
    3,
    'to the phone, by the merchant and by staff, and claimed',
  );
  const callbackEntries = exportedData.tables.pix_notices.flatMap(({ pix }: { pix: object[] }) => pix);
  assert.ok(
    callbackEntries.some((entry: { pagador?: object }) => entry.pagador),
    'the payer data from the bank',
  );
  assert.ok(!JSON.stringify(callbackEntries).includes('Outra Pessoa'), 'without data of other payers');
  assert.ok(
    (await readTimeline(person.id)).some(({ text }) => text.endsWith(' exportou os dados pessoais.')),
  );

  const eraseResponse = await erase();
  assert.equal(eraseResponse.status, 200, eraseResponse.text);
  assert.equal(eraseResponse.body.name, 'apagado');
  assert.ok(eraseResponse.body.erased_at && eraseResponse.body.locked_at);
  assertRefused(await getMe(service, token), 401, 'token_invalid');
  const { phone, email, cpf, name } = person;
  assert.deepEqual(
    await findTextsInAllTables([
      phone,
      email,
      cpf,
      name,
      'Vasconcelos',
      'Quitéria',
      'Sou eu',
      '203.0.113.77',
      '1987-04-03',
    ]),
    [],
  );
  const callbacks = await decryptCallbacks();
  assert.ok(!callbacks.join().includes(person.name) && callbacks.join().includes('Outra Pessoa'));
  assert.deepEqual(await pixDriver.listMismatches(), []);
  assert.equal((await pixDriver.getCheckout(person.checkout.hash)).status, 'paid');

  const [entry] = await readTimeline(person.id);
  assert.match(entry!.text, /apagou os dados pessoais\. Motivo: Pedido do titular\.$/);
  assertRefused(await erase(), 409, 'customer_erased');
  assertRefused(await pixDriver.callStaff('PATCH', path, { name: 'De novo' }), 409, 'customer_erased');
  assertRefused(await pixDriver.callStaff('POST', `${path}/unlock`), 409, 'customer_erased');
  assert.equal(
    (await pixDriver.callStaff('GET', '/admin/customers?status=erased')).body.data[0].id,
    person.id,
  );
  const registrationResponse = await pixDriver.callStaff('POST', '/admin/customers', {
    name,
    phone,
    email,
    cpf,
  });
  assert.equal(registrationResponse.status, 201, registrationResponse.text);
  assert.notEqual(registrationResponse.body.id, person.id);
});

test('append-only tables can be changed only by an erasure, and the ledger not even then', async () => {
  const updateColumn = (table: string, column: string) =>
    service.db.run({ text: `update ${table} set ${column} = ${column}`, values: [], name: '' });
  for (const [table, column] of [
    ['audit_trail', 'after'],
    ['events', 'data'],
    ['terms_acceptances', 'address'],
    ['invitations', 'invited_name_sealed'],
  ] as const)
    await assert.rejects(updateColumn(table, column), /append-only/, table);
  await assert.rejects(
    service.db.transaction(async (tx) => {
      await tx.run(sql`set local semana.erasing = 'on'`);
      await tx.run(sql`update ledger_entries set line = line`);
    }),
    /append-only/,
  );
});

test('two concurrent erasures leave no data, even in a PSP callback that mentions both customers', async () => {
  const customers = [await pixDriver.createCustomer(), await pixDriver.createCustomer()];
  const pix = await Promise.all(
    customers.map(async (customer) => {
      const checkout = await pixDriver.sell(customer);
      const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
      const { end_to_end_id: endToEndId } = await pixDriver.payCharge(charge.txid);
      await pixDriver.waitForStatus(customer, charge.id, 'paid');
      return { txid: charge.txid, endToEndId, infoPagador: `de ${customer.phone}` };
    }),
  );
  await pixDriver.waitForJobs();
  await service.post(`/psp/callback/${CALLBACK_SECRET}/pix`, { pix }, { key: null });
  await pixDriver.waitForJobs();
  // Both requests wait for the lock until the transaction ends, so they are awaited after it.
  const { pendingResponses } = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from pix_notices for update`);
    const pendingResponses = customers.map(({ id }) =>
      pixDriver.callStaff('POST', `/admin/customers/${id}/erase`, { reason: 'Pedido' }),
    );
    await waitForLockWaits(service, 2);
    return { pendingResponses };
  });
  const eraseResponses = await Promise.all(pendingResponses);
  assert.deepEqual(
    eraseResponses.map(({ status }) => status),
    [200, 200],
  );
  const remainingCallbacks = (await decryptCallbacks()).filter((text) =>
    customers.some(({ phone }) => text.includes(phone)),
  );
  assert.deepEqual(remainingCallbacks, []);
});

test('customers export and customers erase work on the command line; erase requires --yes', async () => {
  const customer = await pixDriver.createCustomer();
  const exportedData = JSON.parse(await run('customers export', customer.phone, '--json'));
  assert.equal(exportedData.tables.customers[0].id, customer.id);
  await assert.rejects(run('customers erase', customer.id), /--reason is missing/);
  await assert.rejects(run('customers erase', customer.id, '--reason', 'Pedido'), /Use --yes/);
  assert.match(await run('customers erase', customer.id, '--yes', '--reason', 'Pedido'), /is erased/);
  await assert.rejects(run('customers export', newPhone()), /No customer has this id or phone/);
});
