import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { cents } from '#core/values/money.ts';
import { approvePurchase, openCheckout } from '#credit';
import { findCustomerId } from '#customers';
import { systemClock } from '#platform/clock.ts';
import { customerTransaction, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { selectCashbackDebt } from '#rewards';
import { createCustomer } from '../src/customers/create-customer.ts';
import { createModuleEvents, readConfiguration } from '../src/modules.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { issueAccessTokens } from './sessions.ts';

/** The number of concurrent callers in most scenarios. */
export const CLIENTS = 16;
/** The number of concurrent payers. At 500 requests per second, each waits a quarter of a second for its response. */
export const PAYERS = 128;
/** The number of concurrent callbacks of the PSP that report PAYMENTS_PER_CALLBACK payments each. */
export const BATCH_CALLERS = 2;
export const PAYMENTS_PER_CALLBACK = 20;
const MODULE_EVENTS = createModuleEvents(readConfiguration({}));
/** Ana is a customer of the demo data. */
export const ANA_PHONE = '+5511987650001';
export const ANA_PASSWORD = 'semana-demo-1';

/** A customer who is signed in. */
export type Buyer = { phone: string; token: string };

function generateCpf(): Cpf {
  for (;;) {
    const cpf = parseCpf(String(randomInt(1e10)).padStart(11, '0'));
    if (cpf) return cpf;
  }
}

/** Creates a customer with the password of the sandbox customer Ana and a very high credit limit. Returns the id. */
export async function createBenchCustomer(db: Db, phone: string): Promise<string> {
  const customerInput = {
    name: 'Bench',
    phone,
    email: 'bench@example.com',
    cpf: generateCpf(),
    passwordHash: null,
    creditLimit: cents(10_000_000),
  };
  const context = { vault: db.vault, clock: systemClock, events: MODULE_EVENTS };
  const customer = await forNewCustomers(db).transaction((tx) => createCustomer(tx, customerInput, context));
  if (!('id' in customer)) throw new Error('The customer could not be created.');
  await db.run(sql`
    update customers set password_hash = (select password_hash from customers where id = ${await findCustomerId(db, ANA_PHONE)})
    where id = ${customer.id}`);
  return customer.id;
}

/** Creates customers with different phones, and signs them in. */
export async function createBuyers(db: Db, databaseUrl: string, buyerCount: number): Promise<Buyer[]> {
  const phones = Array.from({ length: buyerCount }, (_, i) => `+551197${1_000_000 + i}`);
  const ids: string[] = [];
  for (const phone of phones) ids.push(await createBenchCustomer(db, phone));
  const sessions = await issueAccessTokens(databaseUrl, ids);
  return phones.map((phone, i) => ({ phone, token: sessions[i]!.token }));
}

/** Generates the address of a caller, for the header x-forwarded-for. Attempts of one address wait for the same row. */
export const generateIpAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a POST, and returns the body of the response. Throws unless the response has the expected status. Uses node:http, which takes half
 * the CPU time of fetch, because the bench shares the cores with the service.
 */
export async function post(
  url: string,
  body: unknown,
  { expectedStatus, headers = {} }: { expectedStatus: number; headers?: Record<string, string> },
): Promise<string> {
  const outgoingRequest = request(url, {
    method: 'POST',
    agent,
    headers: { 'x-api-key': 'sandbox-demo-key', 'content-type': 'application/json', ...headers },
  });
  outgoingRequest.end(JSON.stringify(body));
  const [response] = (await once(outgoingRequest, 'response')) as [IncomingMessage];
  const responseBody = await text(response);
  if (response.statusCode !== expectedStatus)
    throw new Error(`${url}: ${response.statusCode} ${responseBody}`);
  return responseBody;
}

/**
 * Sends a callback as the PSP would. `kind` and `body` are as in the central bank's API, where `pix` reports payments, `rec` recurrences, and
 * `cobr` debits.
 */
export async function sendCallback(
  serviceUrl: string,
  kind: 'pix' | 'rec' | 'cobr',
  body: object,
): Promise<void> {
  const url = `${serviceUrl}/psp/callback/${SANDBOX_PIX.callbackSecret}/${kind}`;
  await post(url, body, { expectedStatus: 200 });
}

/** Sells to a customer without the API. Returns the purchase. */
export async function sellToCustomer(db: Db, phone: string, terms: { amount: number; installments: number }) {
  const order = { customer: phone, merchant: 'padaria-flor-do-trigo', ...terms };
  const now = new Date();
  return customerTransaction(db, phone, async (tx) => {
    const approvalContext = { now, maxPurchaseAgeMs: 0, selectCashbackDebt };
    const approvedPurchase = await approvePurchase(tx, order, approvalContext);
    return openCheckout(tx, approvedPurchase, { events: MODULE_EVENTS, now });
  });
}

export async function countPayments(db: Db): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from pix_payments`))!.count;
}
