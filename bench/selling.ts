import { CLIENTS, createBenchCustomer, post } from './callers.ts';
import { createPostgresMeter, createProcessMeter } from './cpu.ts';
import { STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { type Service, startService } from './processes.ts';
import { printResults, type ScenarioResult, storeResults } from './results.ts';
import { countRequiredItems, openScenarioMeter, type ScenarioMeter } from './scenarios.ts';
import { issueAccessTokens } from './sessions.ts';

/** The maximum number of offers that one merchant may make to one phone in a day. */
const OFFERS_PER_PHONE = 5;
const ORDER = { amount: 100, installments: 4 };
const MERCHANT_HEADERS = { 'x-api-key': 'sandbox-merchant-key' };

type OfferKeys = { id: string; link: string; code: string };
/** An offer, and the access token of the customer it is addressed to. */
type CustomerOffer = { id: string; token: string };

/** Measures quotes, offers, claims and acceptances relative to plain inserts of one row in the same run. */
export async function runSellingBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url: databaseUrl }) => {
    const db = openBenchDb(databaseUrl);
    const service = await startService({ DATABASE_URL: databaseUrl });
    const cpuMeters = { service: createProcessMeter(service.pid), PostgreSQL: await createPostgresMeter(db) };
    const measure = await openScenarioMeter('selling', { db, databaseUrl, service, cpuMeters });
    try {
      const phones = Array.from(
        { length: Math.ceil(countRequiredItems() / OFFERS_PER_PHONE) },
        (_, i) => `+551197${1_000_000 + i}`,
      );
      const ids: string[] = [];
      for (const phone of phones) ids.push(await createBenchCustomer(db, phone));
      const tokens = (await issueAccessTokens(databaseUrl, ids)).map(({ token }) => token);
      const results = [
        ...(await measureQuotes(service, measure)),
        ...(await measureOffers(service, measure)),
        ...(await measureClaims(service, tokens, measure)),
        ...(await measureAcceptances(service, { phones, tokens }, measure)),
      ];
      printResults('selling', results);
      storeResults('selling', results);
      return true;
    } finally {
      await measure.close();
      await service.stop();
      await db.close();
    }
  }, STATEMENT_COUNTING_SETTINGS);
}

const measureQuotes = (service: Service, measure: ScenarioMeter): Promise<ScenarioResult[]> =>
  measure({
    name: 'quote',
    items: Array.from({ length: countRequiredItems() }, (_, i) => ({
      amount: (10_000 + (i % 9_000)) / 100,
      installments: 1 + (i % 12),
    })),
    callers: CLIENTS,
    perform: async (quote) =>
      void requireStatus(await post(`${service.url}/merchant/quotes`, quote, MERCHANT_HEADERS), 200),
  });

const measureOffers = (service: Service, measure: ScenarioMeter): Promise<ScenarioResult[]> =>
  measure({
    name: 'offer to a phone',
    items: Array.from({ length: countRequiredItems() }, (_, i) => `+551198${1_000_000 + i}`),
    callers: CLIENTS,
    perform: async (phone) => void (await createOffer(service, { phone })),
  });

const createOffer = async (service: Service, body: object): Promise<OfferKeys> =>
  requireStatus(await post(`${service.url}/merchant/offers`, { ...ORDER, ...body }, MERCHANT_HEADERS), 201);

/** Measures the creation of open offers, which are addressed to no phone, and claims each of them once, by link or by code. */
async function measureClaims(
  service: Service,
  tokens: string[],
  measure: ScenarioMeter,
): Promise<ScenarioResult[]> {
  const offers: OfferKeys[] = [];
  const offerResults = await measure({
    name: 'open offer',
    items: Array.from({ length: countRequiredItems() }, (_, i) => i),
    callers: CLIENTS,
    perform: async () => void offers.push(await createOffer(service, {})),
  });
  const measureClaim = (name: string, keys: object[]) =>
    measure({
      name,
      items: keys.map((key, i) => ({ key, token: tokens[i % tokens.length]! })),
      callers: CLIENTS,
      perform: async ({ key, token }) =>
        void requireStatus(await post(`${service.url}/wallet/offers/claim`, key, { 'x-token': token }), 200),
    });
  // If `--only` excludes the scenario above, it has created no offers.
  while (offers.length < 2 * countRequiredItems()) offers.push(await createOffer(service, {}));
  const claimsByLink = await measureClaim(
    'claim by link',
    offers.slice(0, countRequiredItems()).map(({ link }) => ({ token: link.split('/').at(-1) })),
  );
  const claimsByCode = await measureClaim(
    'claim by code',
    offers.slice(countRequiredItems()).map(({ code }) => ({ code })),
  );
  return [...offerResults, ...claimsByLink, ...claimsByCode];
}

/** Consecutive acceptances are of different customers, because acceptances of one customer wait for the same lock. */
async function measureAcceptances(
  service: Service,
  { phones, tokens }: { phones: string[]; tokens: string[] },
  measure: ScenarioMeter,
): Promise<ScenarioResult[]> {
  const offers: CustomerOffer[] = [];
  for (let round = 0; round < OFFERS_PER_PHONE; round++)
    for (const [i, phone] of phones.entries()) {
      const { id } = await createOffer(service, { phone });
      offers.push({ id, token: tokens[i]! });
    }
  return measure({
    name: 'acceptance',
    items: offers,
    callers: CLIENTS,
    perform: async ({ id, token }) =>
      void requireStatus(
        await post(`${service.url}/wallet/offers/${id}/accept`, {}, { 'x-token': token }),
        201,
      ),
  });
}

/** Throws unless the response has the expected status. Returns its body, which has the keys if the request created an offer. */
function requireStatus(
  { status, text }: Awaited<ReturnType<typeof post>>,
  expectedStatus: number,
): OfferKeys {
  if (status !== expectedStatus) throw new Error(`${status}: ${text}`);
  return JSON.parse(text) as OfferKeys;
}
