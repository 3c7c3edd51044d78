import assert from 'node:assert/strict';
import { argon2Sync, randomInt } from 'node:crypto';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import type { Day } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { createPartner } from '#partners';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import * as changes from '../../src/customers/change-customer.ts';
import { createCustomer } from '../../src/customers/create-customer.ts';
import { creditUsageService, customerPrincipal } from '../../src/customers/customers.ts';
import { IdentityCache } from '../../src/customers/identity.ts';
import { openSession } from '../../src/customers/sessions/sessions.ts';
import { type CreditUsedSql, findCustomerId, findLoginByPhone } from '../../src/customers/store.ts';
import { EndedSessions } from '../../src/customers/tokens/ended-sessions.ts';
import { createModuleEvents, readConfiguration, serviceBindings } from '../../src/modules.ts';
import {
  type ApiResponse,
  type Body,
  type CallOptions,
  eventually,
  findDemoPartnerId,
  type Node,
  type SharedService,
} from '../harness.ts';

export const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };
export const BRUNO = { phone: '+5511987650002' };
export const CARLA = { phone: '+5511987650003', password: 'semana-demo-3' };
export const OPERATOR_KEY = 'sandbox-operator-key';
export const vault = new Vault(SANDBOX_SECRETS);

/** The number of the last new phone. It starts low enough to stay below the phones of the demo data. */
let lastPhone = randomInt(7_000_000);

/** Returns another phone in each call. */
export const newPhone = () => {
  lastPhone += 1;
  return `+551198${String(lastPhone).padStart(7, '0')}`;
};

export function newCpf(): Cpf {
  const firstDigits = String(randomInt(1_000_000_000)).padStart(9, '0');
  const candidates = Array.from({ length: 100 }, (_, i) => firstDigits + String(i).padStart(2, '0'));
  return candidates.map(parseCpf).find((cpf) => cpf !== null) ?? newCpf();
}

/** Hashes a password cheaply, for customers who log in often. The service rehashes it after a successful login. */
export function hashCheaply(password: string, memoryKib = 8): string {
  const salt = 'c29tZSBzYWx0IDEyMzQ1Ng';
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: 32,
    memory: memoryKib,
    passes: 1,
    parallelism: 1,
  });
  return `$argon2id$v=19$m=${memoryKib},t=1,p=1$${salt}$${tag.toString('base64').replace(/=+$/, '')}`;
}

/** Creates a customer with Ana's password, by default with her hash. */
export async function newCustomer(
  service: { db: Db; clock: SharedService['clock'] },
  overrides: { name?: string; referrerCode?: string; birthDate?: Day; passwordHash?: string } = {},
) {
  const phone = newPhone();
  const customerInput = {
    name: 'Davi Teste',
    phone,
    email: 'davi@example.com',
    cpf: newCpf(),
    creditLimit: cents(50_000),
    passwordHash: null,
    ...overrides,
  };
  const context = { vault, clock: service.clock, events: createModuleEvents(readConfiguration({})) };
  const result = await forNewCustomers(service.db).transaction((tx) =>
    createCustomer(tx, customerInput, context),
  );
  assert.ok('id' in result);
  if (overrides.passwordHash) return { id: result.id, phone, password: ANA.password };
  const anaId = await findCustomerId(service.db, ANA.phone);
  const ana = await service.db.row<{ hash: string }>(
    sql`select password_hash as hash from customers where id = ${anaId}`,
  );
  await service.db.run(sql`update customers set password_hash = ${ana!.hash} where id = ${result.id}`);
  return { id: result.id, phone, password: ANA.password };
}

/** Locks a customer, as the operator does. */
export function lockCustomer(db: Db, idOrPhone: string, now: Date) {
  const selectCreditUsed = serviceBindings.get(creditUsageService) as CreditUsedSql;
  const actor = { id: 'command line tester', ipAddress: null, requestId: null };
  const auditContext = { actor, action: 'customer lock', now };
  const clock = { now: () => now };
  const endedSessions = new EndedSessions({ db, clock, changeFeed: { listen: () => undefined } } as never);
  const identities = new IdentityCache(vault);
  const deps = { db, vault, identities, selectCreditUsed, endedSessions, principalKind: customerPrincipal };
  return changes.lockCustomer(deps, idOrPhone, auditContext);
}

export type LoginResponse = { token: string; refresh_token: string; expires_at: string };

export async function logIn(
  node: Node,
  customer: { phone: string; password: string },
  key?: string,
): Promise<LoginResponse> {
  const { phone, password } = customer;
  const response = await node.post(
    '/wallet/auth/login',
    { phone, password },
    key === undefined ? {} : { key },
  );
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Logs in by inserting a session. Without a login, or if the session is refused, it uses the password, whose hashing is slower than most tests. */
export async function openSessionFor(
  service: Node & { db: Db; clock: SharedService['clock'] },
  { phone, password = '' }: { phone: string; password?: string },
): Promise<LoginResponse> {
  const { db, clock } = service;
  const login = await findLoginByPhone(db, phone);
  if (!login) return logIn(service, { phone, password });
  const partnerId = await findDemoPartnerId(db);
  const session = await db.transaction((tx) =>
    openSession(tx, { vault, clock, principalKind: customerPrincipal }, login.id, { partnerId }),
  );
  const { status, body } = await refresh(service, session.refreshToken);
  // If the session is not accepted, the customer is locked, or the clock was moved.
  return status === 200 ? body : logIn(service, { phone, password });
}

export const getMe = (node: Node, token: string, key?: string): Promise<ApiResponse> =>
  node.get('/wallet/me', { token, ...(key !== undefined && { key }) });

export const refresh = (node: Node, refreshToken: string, key?: string): Promise<ApiResponse> =>
  node.post('/wallet/auth/refresh', { refresh_token: refreshToken }, key === undefined ? {} : { key });

export const logOut = (node: Node, refreshToken: string, key?: string): Promise<ApiResponse> =>
  node.post('/wallet/auth/logout', { refresh_token: refreshToken }, key === undefined ? {} : { key });

/** Checks the status and code of a problem, and the headers of its status. Returns the problem. */
export function assertRefused(response: ApiResponse, status: number, code: string): Body {
  assert.equal(`${response.status} ${response.body?.code}`, `${status} ${code}`, response.text);
  if (status === 401)
    assert.match(response.headers.get('www-authenticate')!, /^(Token|Bearer) realm="semana"/);
  if (status === 429 || status === 503) assert.match(response.headers.get('retry-after')!, /^[1-9]\d*$/);
  return response.body;
}

/** Asserts that a call is refused within a second after its session was ended, also by other nodes: the change feed notifies them. */
export async function assertSoonRefused(
  call: () => Promise<ApiResponse>,
  status: number,
  code: string,
): Promise<void> {
  const deadlineMs = performance.now() + 1_000;
  for (;;) {
    // A response may take long on a busy machine, so the time at which the call starts is compared.
    const isLastCall = performance.now() >= deadlineMs;
    const response = await call();
    if (response.status === 200 && !isLastCall) continue;
    return assertRefused(response, status, code);
  }
}

export async function listMessages(
  node: Node,
  phone: string,
): Promise<Array<{ text: string; code: string }>> {
  const path = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
  const response = await node.staff('GET', path, { key: OPERATOR_KEY });
  assert.equal(response.status, 200, response.text);
  return response.body.data;
}

/** Messages are sent by jobs, so tests wait for them. */
export const waitForMessages = (node: Node, phone: string, count: number): Promise<unknown> =>
  eventually(`${count} messages were sent`, async () => (await listMessages(node, phone)).length === count);

/** Options of openService with which `newIpAddressOptions` and `ipAddressOptions` set the IP address of a request. */
export const BEHIND_PROXY = { env: { TRUST_PROXY: '127.0.0.1' } };

export const ipAddressOptions = (ipAddress: string) => ({ headers: { 'x-forwarded-for': ipAddress } });

let lastIpAddress = 0;
/** Returns call options with another client IP address in each call. */
export const newIpAddressOptions = () => {
  lastIpAddress++;
  return ipAddressOptions(`198.18.${lastIpAddress >> 8}.${lastIpAddress & 255}`);
};

export type SentCode = { phone: string; challenge_id: string; code: string };

/** Requests a login code of a customer, and reads it in the inbox of the sandbox. */
export const newCode = (node: Node, phone: string, options?: CallOptions): Promise<SentCode> =>
  requestCode(node, '/wallet/auth/otp', phone, options);

/** Requests a login code. By default each request has a new IP address, so that limits per address do not apply. */
export async function requestCode(
  node: Node,
  path: string,
  phone: string,
  options: CallOptions = newIpAddressOptions(),
): Promise<SentCode> {
  const response = await node.post(path, { phone }, options);
  assert.equal(response.status, 202, response.text);
  // If the test clock stands still, a message without a code can have the same time and be listed first.
  const message = (await listMessages(node, phone)).find(({ code }) => code !== null);
  return { phone, challenge_id: response.body.challenge_id, code: message!.code };
}

/** Returns the challenge with a wrong code. Each difference gives another wrong code. */
export const toWrongCode = (sentCode: SentCode, difference = 1): SentCode => ({
  ...sentCode,
  code: String((Number(sentCode.code) + difference) % 1_000_000).padStart(6, '0'),
});

/** Creates a key of another partner with the scope `wallet`. */
export async function createOtherPartnerKey(service: SharedService): Promise<string> {
  const partnerId = await createPartner(service.db, `Another ${randomInt(1_000_000)}`, service.clock);
  return (await service.newKey({ partner_id: partnerId!, scopes: ['wallet'] })).secret;
}
