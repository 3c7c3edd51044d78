import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  cheapHash,
  enter,
  logIn,
  me,
  messagesTo,
  newCode,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
  otherThan,
  refresh,
} from '../../../test/support/customers.ts';

const service = await openService();
const neighbour = await service.join();
const run = commandRunner(service);

const staff = (method: string, path: string, body?: unknown, key = OPERATOR_KEY) =>
  service.staff(method, path, { key, ...(body !== undefined && { body }) });

const keys = new Map<string, Promise<string>>();
const keyOf = (id: string, role: Role = 'support') => {
  const key = keys.get(id) ?? makeKey(id, role);
  keys.set(id, key);
  return key;
};
async function makeKey(id: string, role: Role): Promise<string> {
  const { secret } = await service.newKey({ scopes: ['operator'], person: { id, role } });
  return secret;
}

const person = () => newCustomer(service, { passwordHash: cheapHash(ANA.password) });
const show = async (id: string) => (await staff('GET', `/admin/customers/${id}`)).body;
const trailOf = async (id: string) =>
  (await staff('GET', `/admin/audit-trail?subject=customer:${id}`)).body.data;
const storyOf = async (id: string) =>
  (await staff('GET', `/admin/customers/${id}/story`)).body.data
    .map(({ text }: { text: string }) => text)
    .join('\n');
const ask = async (id: string, phone: string, by = 'stf_asks') =>
  staff('PATCH', `/admin/customers/${id}`, { phone, reason: 'Perdeu o celular' }, await keyOf(by));
const decide = async (id: string, what: string, by: string, body?: unknown) =>
  staff('POST', `/admin/customers/${id}/phone-change/${what}`, body, await keyOf(by));
const sweep = () => service.db.run(sql`select 1 from graphile_worker.add_job('phone_changes_sweep')`);
const phoneIs = (id: string, phone: string) =>
  eventually(`the phone is ${phone}`, async () => (await show(id)).phone === phone);

test('a new phone waits 24 hours: the old one is told and still logs in, sessions end, and then it counts', async () => {
  const customer = await person();
  const { id, password } = customer;
  const { token } = await enter(service, customer);
  const phone = newPhone();
  const asked = await ask(id, phone);
  assert.equal(asked.status, 200, asked.text);
  assert.equal(asked.body.phone, customer.phone);
  const { counts_at, asked_at, ...waiting } = asked.body.phone_change;
  assert.deepEqual(waiting, { phone, asked_by: 'stf_asks' });
  assert.equal(Date.parse(counts_at) - Date.parse(asked_at), 24 * HOUR_MS);
  assert.deepEqual((await show(id)).phone_change, asked.body.phone_change);
  assertRefused(await me(service, token), 401, 'token_invalid');
  await assertSoonRefused(() => me(neighbour, token), 401, 'token_invalid');
  const [message] = await messagesTo(service, customer.phone);
  assert.match(
    message!.text,
    new RegExp(`trocar o celular .* final ${phone.slice(-4)}\\. Vale em .* cancele`),
  );
  assertRefused(await service.post('/wallet/auth/login', { phone, password }), 401, 'invalid_credentials');
  const sent = await newCode(service, customer.phone);
  const late = await logIn(service, customer);
  const viewer = await staff('GET', `/admin/customers/${id}`, undefined, await keyOf('stf_views', 'viewer'));
  assert.equal(viewer.body.phone_change.phone, `+55 ** *****-${phone.slice(-4)}`);
  assert.match(await run('customer show', id), new RegExp(phone.replace('+', '\\+')));
  assert.match(await storyOf(id), /pediu a troca do telefone, que vale a partir de \d\d\/\d\d\/\d{4} às/);

  service.clock.advance(23 * HOUR_MS);
  const early = await person();
  await ask(early.id, newPhone());
  assert.equal((await show(id)).phone, customer.phone);
  service.clock.advance(HOUR_MS);
  await sweep();
  await phoneIs(id, phone);
  assert.equal((await show(id)).phone_change, null);
  assert.equal((await show(early.id)).phone, early.phone, 'asked for an hour ago: it waits');
  assertRefused(await refresh(service, late.refresh_token), 401, 'token_invalid');
  assertRefused(await service.post('/wallet/auth/otp/login', sent), 401, 'invalid_credentials');
  assertRefused(
    await service.post('/wallet/auth/login', { phone: customer.phone, password }),
    401,
    'invalid_credentials',
  );
  await logIn(service, { phone, password });
  const [done] = await messagesTo(service, customer.phone);
  assert.match(done!.text, /agora é o de final/);
  const [last, first] = await trailOf(id);
  assert.deepEqual([last.actor, last.action], ['semana', 'applyPhoneChange']);
  assert.deepEqual(
    [first.actor, first.action, first.reason],
    ['stf_asks', 'changeCustomer', 'Perdeu o celular'],
  );
  assert.ok(!JSON.stringify([last, first]).includes(phone), 'the trail masks the new phone');
  assert.match(await storyOf(id), /A troca do telefone passou a valer\./);
});

test('confirmed earlier: by a second person, never by who asked', async () => {
  const customer = await person();
  const phone = newPhone();
  await ask(customer.id, phone);
  assertRefused(await decide(customer.id, 'confirm', 'stf_asks'), 409, 'second_person_needed');
  assert.equal((await show(customer.id)).phone, customer.phone);
  const { token } = await enter(service, customer);
  const confirmed = await decide(customer.id, 'confirm', 'stf_other', { reason: 'Documento conferido' });
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.deepEqual([confirmed.body.phone, confirmed.body.phone_change], [phone, null]);
  assertRefused(await me(service, token), 401, 'token_invalid');
  const [entry] = await trailOf(customer.id);
  assert.deepEqual([entry.actor, entry.action], ['stf_other', 'confirmPhoneChange']);
  assert.match(await storyOf(customer.id), /confirmou a troca do telefone\. Motivo: Documento conferido\./);
  assertRefused(await decide(customer.id, 'confirm', 'stf_other'), 409, 'no_phone_change');
  assert.equal((await decide(newPhone(), 'confirm', 'stf_other')).status, 404);
});

test('confirmed earlier: by a code to the old phone, by whoever has it, once', async () => {
  const customer = await person();
  const phone = newPhone();
  assertRefused(await decide(customer.id, 'code', 'stf_asks'), 409, 'no_phone_change');
  await ask(customer.id, phone);
  const sent = await decide(customer.id, 'code', 'stf_asks');
  assert.equal(sent.status, 202, sent.text);
  const code = (await messagesTo(service, customer.phone)).find((message) => message.code)!.code;
  const right = { phone: customer.phone, challenge_id: sent.body.challenge_id, code };
  const proofOf = ({ challenge_id, code: digits }: typeof right) => ({
    proof: { challenge_id, code: digits },
  });
  const wrong = await decide(customer.id, 'confirm', 'stf_asks', proofOf(otherThan(right, 1)));
  assertRefused(wrong, 422, 'code_wrong');
  const elsewhere = await newCode(service, phone);
  assertRefused(await decide(customer.id, 'confirm', 'stf_asks', proofOf(elsewhere)), 422, 'code_wrong');
  const answers = await Promise.all(
    [1, 2, 3].map(() => decide(customer.id, 'confirm', 'stf_asks', proofOf(right))),
  );
  assert.equal(
    answers.filter(({ status }) => status === 200).length,
    1,
    answers.map(({ text }) => text).join(),
  );
  assert.equal((await show(customer.id)).phone, phone);
});

test('cancelled by staff, by the customer, at the command line: the phone stays, also when the 24 hours are over', async () => {
  for (const cancel of [
    (id: string) => decide(id, 'cancel', 'stf_asks', { reason: 'Engano' }),
    async (id: string) => {
      const { token } = await enter(service, { phone: (await show(id)).phone, password: ANA.password });
      const waiting = await service.get('/wallet/phone-change', { token });
      assert.match(waiting.body.phone_change.phone_ends_in, /^\d{4}$/);
      const answer = await service.post('/wallet/phone-change/cancel', undefined, { token });
      assert.deepEqual((await service.get('/wallet/phone-change', { token })).body, { phone_change: null });
      assertRefused(
        await service.post('/wallet/phone-change/cancel', undefined, { token }),
        409,
        'no_phone_change',
      );
      return { ...answer, status: answer.status === 204 ? 200 : answer.status };
    },
    async (id: string) => {
      await run('customer phone-cancel', id);
      return { status: 200, text: '' };
    },
  ]) {
    const customer = await person();
    await ask(customer.id, newPhone());
    const answer = await cancel(customer.id);
    assert.equal(answer.status, 200, answer.text);
    service.clock.advance(25 * HOUR_MS);
    await sweep();
    const other = await person();
    await ask(other.id, newPhone());
    assert.deepEqual((await show(customer.id)).phone, customer.phone);
    assert.equal((await show(customer.id)).phone_change, null);
    assert.match(await storyOf(customer.id), /cancelou a troca do telefone/);
    assertRefused(await decide(customer.id, 'cancel', 'stf_asks'), 409, 'no_phone_change');
  }
});

test('a newer change replaces the older, and its 24 hours begin anew', async () => {
  const { id, phone: old } = await person();
  const [first, second] = [newPhone(), newPhone()];
  await ask(id, first);
  service.clock.advance(20 * HOUR_MS);
  assert.equal((await ask(id, second, 'stf_other')).body.phone_change.phone, second);
  service.clock.advance(5 * HOUR_MS);
  await sweep();
  const others = await Promise.all([ask(id, newPhone()), ask(id, newPhone())]);
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await show(id)).phone, old);
  const rows = await service.db.rows(
    sql`select from phone_changes where customer_id = ${id} and status = 'waiting'`,
  );
  assert.equal(rows.length, 1);
});

test('somebody else takes the phone meanwhile: 409 to who confirms, and after 24 hours the change is dropped and told', async () => {
  const customer = await person();
  const phone = newPhone();
  await ask(customer.id, phone);
  const form = { name: 'Eva Reis', phone, email: 'eva@example.com', cpf: newCpf() };
  assert.equal((await staff('POST', '/admin/customers', form)).status, 201, 'it is not reserved');
  assertRefused(await decide(customer.id, 'confirm', 'stf_other'), 409, 'phone_taken');
  assertRefused(await ask(customer.id, phone), 409, 'phone_taken');
  service.clock.advance(24 * HOUR_MS);
  await sweep();
  await eventually('it is dropped', async () => (await show(customer.id)).phone_change === null);
  assert.equal((await show(customer.id)).phone, customer.phone);
  assert.match((await messagesTo(service, customer.phone))[0]!.text, /não mudou: .* já é de outra conta/);
  assert.match(await storyOf(customer.id), /não valeu: o número novo já é de outro cliente/);
});

test('two who wait for the same phone: one gets it', async () => {
  const [a, b] = [await person(), await person()];
  const phone = newPhone();
  for (const { id } of [a, b]) assert.equal((await ask(id, phone)).status, 200);
  const answers = await Promise.all([a, b].map(({ id }) => decide(id, 'confirm', 'stf_other')));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
});

test('sweeps that race on two nodes, with a confirmation and a cancellation, do it once', async () => {
  const customers = [await person(), await person(), await person()];
  const [, confirmed, cancelled] = customers;
  for (const { id } of customers) await ask(id, newPhone());
  service.clock.advance(24 * HOUR_MS);
  const [, , one, other] = await Promise.all([
    sweep(),
    sweep(),
    decide(confirmed!.id, 'confirm', 'stf_other'),
    decide(cancelled!.id, 'cancel', 'stf_other'),
  ]);
  for (const { status, text } of [one, other]) assert.ok([200, 409].includes(status), text);
  for (const { id } of customers) {
    await eventually('it is closed', async () => (await show(id)).phone_change === null);
    const ends = (await trailOf(id)).filter(({ action }: { action: string }) => /PhoneChange/.test(action));
    assert.equal(ends.length, 1);
  }
});

test('the old phone of a locked customer is told as well, and an erasure leaves nothing of the change', async () => {
  const customer = await person();
  await staff('POST', `/admin/customers/${customer.id}/lock`);
  const phone = newPhone();
  await ask(customer.id, phone);
  assert.match((await messagesTo(service, customer.phone))[0]!.text, /trocar o celular/);
  const held = await staff('GET', `/admin/customers/${customer.id}/export`);
  assert.equal(held.body.tables.phone_changes[0].to, phone);
  await run('customer reencrypt', '--all');
  assert.equal((await show(customer.id)).phone_change.phone, phone);
  const erased = await staff('POST', `/admin/customers/${customer.id}/erase`, { reason: 'Pedido' });
  assert.equal(erased.status, 200, erased.text);
  const rows = await service.db.rows(sql`select from phone_changes where customer_id = ${customer.id}`);
  assert.equal(rows.length, 0);
  assert.ok(!JSON.stringify(await trailOf(customer.id)).includes(phone.slice(-2).padStart(7, '*')));
});

test('at the command line the new phone waits as well, and nobody confirms their own', async () => {
  const { id, phone: old } = await person();
  const phone = newPhone();
  assert.match(await run('customer change', id, '--phone', phone), /counts from .* on/);
  assert.match((await messagesTo(service, old))[0]!.text, /trocar o celular/);
  await assert.rejects(run('customer phone-confirm', id), /Somebody else/);
  assert.equal((await decide(id, 'confirm', 'stf_other')).status, 200);
  await ask(id, old);
  assert.match(await run('customer phone-confirm', id, '--reason', 'Conferido'), /has the phone/);
  assert.equal((await show(id)).phone, old);
});
