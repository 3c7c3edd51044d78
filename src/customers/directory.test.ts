import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  getMe,
  hashCheaply,
  logIn,
  newCode,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  type SentCode,
  toWrongCode,
} from '../../test/support/customers.ts';

const service = await openService();
const run = createCommandRunner(service);
const callStaff = (
  method: string,
  path: string,
  body?: unknown,
  options: { key?: string; headers?: Record<string, string> } = {},
) => service.staff(method, path, { key: OPERATOR_KEY, ...options, ...(body !== undefined && { body }) });
const getAsStaff = (path: string, options: { key?: string; headers?: Record<string, string> }) =>
  callStaff('GET', path, undefined, options);
const readAuditTrail = async (id: string) =>
  (await callStaff('GET', `/admin/audit-trail?subject=customer:${id}`)).body.data;

async function newKeyWithRole(role: Role): Promise<string> {
  const { secret } = await service.newKey({ scopes: ['operator'], person_id: `stf_${role}`, role });
  return secret;
}

const searchNames = async (query: Record<string, string>) => {
  const { status, body, text } = await callStaff('GET', `/admin/customers?${new URLSearchParams(query)}`);
  assert.equal(status, 200, text);
  return body.data.map(({ name }: { name: string }) => name);
};

test('customers are found by prefixes of name words, phone, CPF and status, in pages', async () => {
  const cpf = newCpf();
  const phone = newPhone();
  const form = { name: 'Zélia Conceição d’Ávila', phone, email: 'zelia@example.com', cpf };
  const createResponse = await callStaff('POST', '/admin/customers', form);
  assert.equal(createResponse.status, 201, createResponse.text);
  service.clock.advance(1_000);
  await newCustomer(service, { name: 'Zelda Constantino' });

  assert.deepEqual(await searchNames({ name: 'ze con' }), [form.name, 'Zelda Constantino']);
  for (const name of ['CONCEICAO zél', 'avila', 'd', 'zélia conceição']) {
    assert.deepEqual(await searchNames({ name }), [form.name], name);
  }
  for (const name of ['elia', 'zeliaa', 'zelia constantino', '—', 'z'])
    assert.deepEqual(await searchNames({ name }), []);
  assert.deepEqual(await searchNames({ phone }), [form.name]);
  assert.deepEqual(await searchNames({ cpf }), [form.name]);
  assert.deepEqual(await searchNames({ cpf, phone: newPhone() }), []);
  assert.deepEqual(await searchNames({ phone, name: 'zelda' }), []);
  assert.deepEqual(await searchNames({ phone, status: 'locked' }), []);
  assert.equal((await callStaff('POST', `/admin/customers/${createResponse.body.id}/lock`)).status, 200);
  assert.deepEqual(await searchNames({ status: 'locked' }), [form.name]);
  assert.deepEqual(await searchNames({ name: 'ze', status: 'active' }), ['Zelda Constantino']);
  const page = await callStaff('GET', '/admin/customers?limit=1&page=2');
  assert.equal(page.body.data.length, 1);
  assert.match(page.headers.get('link')!, /rel="next"/);
  assert.equal((await callStaff('GET', '/admin/customers?name=ze&limit=1')).headers.get('link'), null);
  const csv = await getAsStaff('/admin/customers?name=ze&sort=newest&reason=Auditoria', {
    headers: { accept: 'text/csv' },
  });
  const [header, firstLine, secondLine] = csv.text.split('\r\n');
  assert.match(header!, /^id,name,phone,email,cpf,.*,credit_limit,.*,overdue_amount,overdue_since$/);
  assert.match(firstLine!, /,Zelda Constantino,/);
  assert.match(secondLine!, /,Zélia Conceição d’Ávila,/);
  assert.equal((await callStaff('GET', '/admin/customers?cpf=12345678900')).status, 400);

  const jsonOutput = await run('customers list', '--name', 'zelda', '--json');
  assert.equal(JSON.parse(jsonOutput).name, 'Zelda Constantino');
  assert.match(await run('customers get', phone), /Zélia/);
});

test('a customer search and the list of locked customers use an index', async () => {
  await service.db.run(sql`analyze customers`);
  const explain = async (where: string) => {
    const explainText = `explain select id from customers where ${where} order by created_at + interval '0', id limit 20`;
    return service.db.transaction(async (tx) => {
      await tx.run(sql`set local enable_seqscan = off`);
      return JSON.stringify(await tx.rows({ text: explainText, values: [], name: '' }));
    });
  };
  assert.match(await explain(`search_tokens @> '{1,2}'`), /customers_by_token/);
  assert.match(await explain('locked_at is not null and erased_at is null'), /customers_locked/);
});

test('PATCH changes only the sent fields, writes the audit trail, and gets 412 after a concurrent change', async () => {
  const { id } = await newCustomer(service, { name: 'Davi Melo' });
  const path = `/admin/customers/${id}`;
  const earlierResponse = await callStaff('GET', path);
  const etag = earlierResponse.headers.get('etag')!;
  const changeResponse = await callStaff(
    'PATCH',
    path,
    { name: ' Davi de Melo ' },
    { headers: { 'if-match': etag } },
  );
  assert.equal(changeResponse.status, 200, changeResponse.text);
  assert.deepEqual(changeResponse.body, { ...earlierResponse.body, name: 'Davi de Melo' });
  assert.deepEqual((await callStaff('GET', path)).headers.get('etag'), changeResponse.headers.get('etag'));
  const [entry] = await readAuditTrail(id);
  assert.deepEqual(
    [entry.action, entry.before, entry.after],
    ['changeCustomer', { name: 'D*** M***' }, { name: 'D*** d*** M***' }],
  );
  const lateResponse = await callStaff(
    'PATCH',
    path,
    { email: 'x@example.com' },
    { headers: { 'if-match': etag } },
  );
  assertRefused(lateResponse, 412, 'changed_meanwhile');
  assert.deepEqual(await searchNames({ name: 'davi de me' }), ['Davi de Melo']);
  assert.equal((await callStaff('PATCH', path, {})).status, 400);
  assert.equal((await callStaff('PATCH', `/admin/customers/${newPhone()}`, { name: 'X' })).status, 404);
});

test('setting a limit requires the role risk: 403 role_missing names it, for changes and registrations', async () => {
  const supportKey = await newKeyWithRole('support');
  const riskKey = await newKeyWithRole('risk');
  const { id } = await newCustomer(service);
  const path = `/admin/customers/${id}`;
  const refusal = await callStaff('PATCH', path, { credit_limit: 900, name: 'Outro' }, { key: supportKey });
  assertRefused(refusal, 403, 'role_missing');
  assert.match(refusal.body.detail, /'risk'/);
  assert.equal((await callStaff('GET', path)).body.name, 'Davi Teste');
  assert.equal((await callStaff('PATCH', path, { name: 'Outro' }, { key: supportKey })).status, 200);
  const raiseResponse = await callStaff('PATCH', path, { credit_limit: 900.5 }, { key: riskKey });
  assert.equal(raiseResponse.body.credit.limit, 900.5, raiseResponse.text);

  const newForm = () => ({ name: 'Eva', phone: newPhone(), email: 'eva@example.com', cpf: newCpf() });
  const limitResponse = await callStaff(
    'POST',
    '/admin/customers',
    { ...newForm(), credit_limit: 500.01 },
    { key: supportKey },
  );
  assertRefused(limitResponse, 403, 'role_missing');
  for (const restrictedField of [{ credit_limit: 1 }, { password: 'cinco palavras ao acaso' }])
    assertRefused(
      await callStaff('POST', '/admin/customers', { ...newForm(), ...restrictedField }, { key: supportKey }),
      403,
      'role_missing',
    );
  const createResponse = await callStaff('POST', '/admin/customers', newForm(), { key: supportKey });
  assert.equal(createResponse.status, 201, createResponse.text);
});

test('a phone belongs to one customer: two customers cannot swap phones, and setting the same phone is not a change', async () => {
  const [firstCustomer, secondCustomer] = [await newCustomer(service), await newCustomer(service)];
  const requestPhone = (id: string, phone: string) => callStaff('PATCH', `/admin/customers/${id}`, { phone });
  for (const refusal of await Promise.all([
    requestPhone(firstCustomer.id, secondCustomer.phone),
    requestPhone(secondCustomer.id, firstCustomer.phone),
  ]))
    assertRefused(refusal, 409, 'phone_taken');
  const sameResponse = await requestPhone(firstCustomer.id, firstCustomer.phone);
  assert.deepEqual([sameResponse.status, sameResponse.body.phone_change], [200, null]);
});

test('lock ends all sessions immediately and records the reason in the audit trail; unlock allows logins again', async () => {
  const customer = await newCustomer(service);
  const { token } = await logIn(service, customer);
  const path = `/admin/customers/${customer.id}`;
  const lockResponse = await callStaff('POST', `${path}/lock`, { reason: 'Celular roubado' });
  assert.ok(lockResponse.body.locked_at, lockResponse.text);
  await assertSoonRefused(() => getMe(service, token), 401, 'token_invalid');
  const [entry] = await readAuditTrail(customer.id);
  assert.deepEqual([entry.action, entry.reason], ['lockCustomer', 'Celular roubado']);
  assert.equal((await callStaff('POST', `${path}/unlock`)).body.locked_at, null);
  await logIn(service, customer);
  assert.equal((await callStaff('POST', `/admin/customers/${newPhone()}/lock`)).status, 404);
});

test('unlock resets wrong passwords and codes; the timeline shows them before, and the unlock after', async () => {
  const customer = await newCustomer(service, { passwordHash: hashCheaply(ANA.password) });
  const { phone, password } = customer;
  const tryPassword = (attempt: string) => service.post('/wallet/auth/login', { phone, password: attempt });
  const tryCode = (sentCode: SentCode) => service.post('/wallet/auth/otp/login', sentCode);
  const readTimeline = async () =>
    (await callStaff('GET', `/admin/customers/${customer.id}/story`)).body.data.map(
      ({ text }: { text: string }) => text,
    );
  for (let i = 0; i < 5; i++) assertRefused(await tryPassword('wrong password'), 401, 'invalid_credentials');
  assertRefused(await tryPassword(password), 429, 'login_locked');
  const sentCode = await newCode(service, phone);
  for (let i = 1; i <= 5; i++)
    assertRefused(await tryCode(toWrongCode(sentCode, i)), 401, 'invalid_credentials');
  assertRefused(await tryCode(sentCode), 401, 'invalid_credentials');
  assertRefused(await service.post('/wallet/auth/otp', { phone }), 429, 'otp_too_soon');
  const timelineText = (await readTimeline()).join('\n');
  assert.match(
    timelineText,
    /Senha errada 5 vezes\. Entrada por senha bloqueada para o endereço até \d\d:\d\d\./,
  );
  assert.match(timelineText, /Código errado 5 vezes\. O código foi bloqueado\./);

  const unlockResponse = await callStaff('POST', `/admin/customers/${customer.id}/unlock`, {
    reason: 'Ligou',
  });
  assert.equal(unlockResponse.status, 200, unlockResponse.text);
  const [entry] = await readAuditTrail(customer.id);
  assert.deepEqual(entry.before, { wrong_passwords: 5, wrong_codes: 5 });
  assert.deepEqual(entry.after, { wrong_passwords: 0, wrong_codes: 0 });
  const timelineAfter = (await readTimeline()).join('\n');
  assert.match(
    timelineAfter,
    / liberou o acesso e zerou as tentativas \(senhas erradas: 5; códigos errados: 5\)\. Motivo: Ligou\./,
  );
  assert.doesNotMatch(timelineAfter, /Senha errada|Código errado/);
  assert.equal((await tryPassword(password)).status, 200);
  assert.equal((await tryCode(sentCode)).status, 200);
  assert.equal((await service.post('/wallet/auth/otp', { phone })).status, 202);
  assert.match(await run('customers unlock', phone), /is unlocked\./);
});

test('customers are found by e-mail and by the last digits of the phone, in any common format', async () => {
  const phone = newPhone();
  const form = { name: 'Yolanda Quaresma', phone, email: 'yo.quaresma@example.com', cpf: '88911488062' };
  // This CPF is also a valid phone number.
  assert.equal((await callStaff('POST', '/admin/customers', form)).status, 201);
  const nationalNumber = phone.slice(3);
  const formattedPhone = `(${nationalNumber.slice(0, 2)}) ${nationalNumber.slice(2, 7)}-${nationalNumber.slice(7)}`;
  for (const query of [
    { email: 'YO.Quaresma@example.com' },
    { q: 'yo.quaresma@example.com' },
    { q: 'quaresma' },
    { phone: formattedPhone },
    { q: formattedPhone },
    { phone: nationalNumber.slice(-6) },
    { phone: `${nationalNumber.slice(2, 7)}-${nationalNumber.slice(7)}`, name: 'yolanda' },
    { q: form.cpf },
    { q: '889.114.880-62' },
  ])
    assert.deepEqual(await searchNames(query), [form.name], JSON.stringify(query));
  assert.ok((await searchNames({ phone: nationalNumber.slice(-4) })).includes(form.name));
  assert.deepEqual(
    await searchNames({ email: 'quaresma@example.com' }),
    [],
    'only the complete e-mail matches',
  );
  const path = `/admin/customers/${encodeURIComponent(formattedPhone)}`;
  assert.equal((await callStaff('GET', path)).body.phone, phone);
  const { body } = await callStaff('PATCH', path, { email: 'yolanda@example.com' });
  assert.equal(body.email, 'yolanda@example.com');
  assert.deepEqual(await searchNames({ email: form.email }), []);
  assert.deepEqual(await searchNames({ email: 'yolanda@example.com' }), [form.name]);
  assert.equal((await callStaff('GET', '/admin/customers?phone=123')).status, 400);
});

test('for viewer and content personal data is masked in lists, CSV and single reads, and the ETag does not reveal it', async () => {
  const phone = newPhone();
  const form = { name: 'Quitéria Ximenes', phone, email: 'qx@example.com', cpf: newCpf() };
  const { body: createdCustomer } = await callStaff('POST', '/admin/customers', form);
  const maskedFields = {
    name: 'Quitéria X***',
    phone: `+55 ** *****-${phone.slice(-4)}`,
    email: 'q***@example.com',
  };
  for (const role of ['viewer', 'content'] as const) {
    const roleKey = await newKeyWithRole(role);
    const response = await getAsStaff(`/admin/customers/${createdCustomer.id}`, { key: roleKey });
    const listResponse = await getAsStaff('/admin/customers?name=quiteria', { key: roleKey });
    for (const view of [response.body, listResponse.body.data[0]]) {
      const { name, phone: number, email } = view;
      assert.deepEqual({ name, phone: number, email }, maskedFields, role);
      assert.match(view.cpf, /^\*\*\*/);
    }
    const unmaskedResponse = await callStaff('GET', `/admin/customers/${createdCustomer.id}`);
    assert.notEqual(response.headers.get('etag'), unmaskedResponse.headers.get('etag'));
    const csv = await getAsStaff('/admin/customers?name=quiteria&csv=br', { key: roleKey });
    assert.ok(
      csv.text.includes(`;${maskedFields.name};'${maskedFields.phone};${maskedFields.email};`),
      csv.text,
    );
  }
  const supportKey = await newKeyWithRole('support');
  const { body } = await getAsStaff(`/admin/customers/${createdCustomer.id}`, { key: supportKey });
  assert.deepEqual([body.name, body.phone], [form.name, phone]);
});

test('CSV is masked for every role; unmasked CSV requires a reason, which is recorded, and is limited to 20 exports a day', async () => {
  const phone = newPhone();
  const form = { name: 'Quirino Xavier', phone, email: 'qx2@example.com', cpf: newCpf() };
  await callStaff('POST', '/admin/customers', form);
  const listAsCsv = (key: string, query = '') =>
    getAsStaff(`/admin/customers?name=quirino&csv=plain${query}`, { key });
  const supportKey = await newKeyWithRole('support');
  const viewerKey = await newKeyWithRole('viewer');
  for (const key of [supportKey, OPERATOR_KEY]) {
    const { text } = await listAsCsv(key);
    assert.match(text, /,Quirino X\*\*\*,/);
    assert.ok(!text.includes(phone) && !text.includes(form.email), text);
  }
  assert.match((await listAsCsv(supportKey, '&reason=Of%C3%ADcio%201042')).text, /,Quirino Xavier,/);
  const trailResponse = await callStaff('GET', '/admin/audit-trail?subject=export:listCustomers');
  const [{ reason, after }] = trailResponse.body.data;
  assert.equal(reason, 'Ofício 1042');
  assert.doesNotMatch(JSON.stringify(after), /uirino|1042/);
  assert.equal((await listAsCsv(supportKey, '&reason=%20')).status, 400);
  assert.match((await listAsCsv(viewerKey, '&reason=Curiosidade')).text, /,Quirino X\*\*\*,/);
  for (let i = 2; i <= 20; i++) assert.equal((await listAsCsv(supportKey, '&reason=x')).status, 200);
  assertRefused(await listAsCsv(supportKey, '&reason=x'), 429, 'rate_limited');
  assert.equal((await listAsCsv(supportKey)).status, 200);
});

test('a viewer finds customers by complete words and numbers only, so repeated searches cannot reveal masked data letter by letter', async () => {
  const { id, phone } = await newCustomer(service, { name: 'Ludmila Wenceslau' });
  const viewerKey = await newKeyWithRole('viewer');
  const hasResults = async (path: string, apiKey: string) =>
    (await getAsStaff(path, { key: apiKey })).body.data.length > 0;
  const partialQueries = [
    'name=wences',
    'name=lu',
    'q=wencesl',
    `phone=${phone.slice(-4)}`,
    `q=${phone.slice(-8)}`,
  ];
  const completeQueries = [
    'name=wenceslau',
    'name=ludmila%20WENCESLAU',
    `phone=${encodeURIComponent(phone)}`,
  ];
  const supportKey = await newKeyWithRole('support');
  for (const query of partialQueries) {
    assert.equal(await hasResults(`/admin/customers?${query}`, supportKey), true, query);
    assert.equal(await hasResults(`/admin/customers?${query}`, viewerKey), false, query);
  }
  for (const query of completeQueries)
    assert.equal(await hasResults(`/admin/customers?${query}`, viewerKey), true, query);
  assert.equal(await hasResults('/admin/search?q=wencesl', supportKey), true);
  assert.equal(await hasResults('/admin/search?q=wencesl', viewerKey), false);
  assert.equal(await hasResults('/admin/search?q=wenceslau', viewerKey), true);
  await service.staff('POST', `/admin/cashback/${id}/adjust`, {
    key: OPERATOR_KEY,
    body: { amount: 1, reason: 'Teste' },
  });
  assert.equal(await hasResults('/admin/cashback?q=wencesl', supportKey), true);
  assert.equal(await hasResults('/admin/cashback?q=wencesl', viewerKey), false);
});

test('the reason of a PATCH is in the audit trail and the timeline, which masks reasons and invited names for viewer and content', async () => {
  const { id } = await newCustomer(service, { name: 'Rui Costa' });
  const anaResponse = await callStaff('GET', `/admin/customers/${encodeURIComponent(ANA.phone)}`);
  await newCustomer(service, { name: 'Telma Nunes', referrerCode: anaResponse.body.referral_code });
  const reason = 'Ligou a irmã, Rita Costa, 11 98765-1234';
  const changeResponse = await callStaff('PATCH', `/admin/customers/${id}`, { name: 'Rui da Costa', reason });
  assert.equal(changeResponse.status, 200, changeResponse.text);
  assert.equal((await readAuditTrail(id))[0].reason, reason);
  assertRefused(
    await callStaff('PATCH', `/admin/customers/${id}`, { name: 'X', reason: 'a'.repeat(501) }),
    400,
    'validation_failed',
  );
  const readTimelineAs = async (key: string, customerId: string, headers = {}) =>
    (await getAsStaff(`/admin/customers/${customerId}/story?limit=100`, { key, headers })).text;
  const csv = { accept: 'text/csv' };
  for (const role of ['viewer', 'content'] as const) {
    const roleKey = await newKeyWithRole(role);
    for (const timelineText of [await readTimelineAs(roleKey, id), await readTimelineAs(roleKey, id, csv)]) {
      assert.match(timelineText, /alterou nome\. Motivo: \*\*\*\./);
      assert.doesNotMatch(timelineText, /Rita|98765/);
    }
    assert.match(await readTimelineAs(roleKey, anaResponse.body.id), /Alguém se cadastrou com o convite/);
    const anaTimeline = await readTimelineAs(roleKey, anaResponse.body.id);
    assert.doesNotMatch(anaTimeline, /T[^ ]* N/, 'not even a masked Telma Nunes');
  }
  assert.match(await readTimelineAs(await newKeyWithRole('support'), id), /Motivo: Ligou a irmã, Rita Costa/);
  assert.match(await run('customers story', id), /Motivo: Ligou a irmã/);
});

test('request bodies accept phones in any common format; responses use E.164', async () => {
  const digits = newPhone().slice(5);
  const formatPhone = (prefix: string) => `${prefix} ${digits.slice(0, 5)}-${digits.slice(5)}`;
  const phone = `+5511${digits}`;
  const form = { name: 'Ivo Lima', phone: formatPhone('11'), email: 'ivo@example.com', cpf: newCpf() };
  const createResponse = await callStaff('POST', '/admin/customers', form);
  assert.equal(createResponse.body.phone, phone, createResponse.text);
  for (const prefix of ['11', '(11)', '+55 11', '011']) {
    const checkResponse = await service.post('/wallet/auth/phone-check', { phone: formatPhone(prefix) });
    assert.deepEqual([checkResponse.body.phone, checkResponse.body.registered], [phone, true], prefix);
  }
  const otherPhone = newPhone();
  const changeResponse = await callStaff('PATCH', `/admin/customers/${createResponse.body.id}`, {
    phone: `(11) ${otherPhone.slice(5, 10)} ${otherPhone.slice(10)}`,
  });
  assert.equal(changeResponse.body.phone_change.phone, otherPhone, changeResponse.text);
  const offer = { phone: formatPhone('11'), amount: 30, installments: 2 };
  const offerResponse = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  assert.equal(offerResponse.status, 201, offerResponse.text);
  const incompletePhoneResponse = await service.post('/wallet/auth/phone-check', { phone: '11 98765' });
  assertRefused(incompletePhoneResponse, 400, 'validation_failed');
});

test('the search parameter q of staff lists ignores accents and case', async () => {
  const name = 'Úrsula Assunção Brandão';
  const { id } = await newCustomer(service, { name });
  await service.post('/public/leads', { kind: 'contato', name, email: 'ursula@example.com' });
  for (const q of ['ursula', 'ASSUNCAO', 'Assunção', 'brandao ursula']) {
    const searchResponse = await callStaff('GET', `/admin/customers?${new URLSearchParams({ q })}`);
    assert.deepEqual(
      searchResponse.body.data.map((item: { id: string }) => item.id),
      [id],
      q,
    );
    const leadsResponse = await callStaff('GET', `/admin/leads?${new URLSearchParams({ q })}`);
    assert.equal(leadsResponse.body.data[0]?.name, name, `lead ${q}`);
  }
  const lists: Array<[string, string[]]> = [
    ['merchants', ['otica', 'ÓTICA']],
    ['categories', ['farmacia', 'FARMÁCIA']],
    ['faq', ['nao', 'NÃO']],
    ['posts', ['pagina', 'PÁGINA', 'voce']],
  ];
  for (const [listName, queries] of lists) {
    const counts = await Promise.all(
      queries.map(
        async (q) =>
          (await callStaff('GET', `/admin/${listName}?${new URLSearchParams({ q })}`)).body.pagination.total,
      ),
    );
    assert.ok(counts[0] > 0 && counts[0] === counts[1], `${listName}: ${counts}`);
  }
});
