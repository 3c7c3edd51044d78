import { type Buyer, CLIENTS, createBuyers, generateIpAddress, post } from './callers.ts';
import { createPostgresMeter, createProcessMeter } from './cpu.ts';
import { STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { type Service, startService } from './processes.ts';
import { printResults, type ScenarioResult, storeResults } from './results.ts';
import { countRequiredItems, openScenarioMeter, type ScenarioMeter } from './scenarios.ts';

/** The maximum number of offers that one merchant may make to one phone in a day. */
const OFFERS_PER_PHONE = 5;
const ORDER = { amount: 100, installments: 4 };
const MERCHANT_HEADERS = { 'x-api-key': 'sandbox-merchant-key' };

type CreatedOffer = { id: string; link: string; code: string };
/** An offer, and the access token of the customer it is addressed to. */
type AddressedOffer = { id: string; token: string };

/** Measures quotes, offers, claims and acceptances relative to plain inserts of one row in the same run. */
export async function runSellingBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url: databaseUrl }) => {
    const db = openBenchDb(databaseUrl);
    const service = await startService({ DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1' });
    const cpuMeters = { service: createProcessMeter(service.pid), PostgreSQL: await createPostgresMeter(db) };
    const measure = await openScenarioMeter('selling', { db, databaseUrl, service, cpuMeters });
    try {
      const buyerCount = Math.ceil(countRequiredItems() / OFFERS_PER_PHONE);
      const buyers = await createBuyers(db, databaseUrl, buyerCount);
      const results = [
        ...(await measureQuotes(service, measure)),
        ...(await measureOffers(service, measure)),
        ...(await measureClaims(service, buyers, measure)),
        ...(await measureAcceptances(service, buyers, measure)),
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
    perform: async (quote) => {
      await post(`${service.url}/merchant/quotes`, quote, { headers: MERCHANT_HEADERS, expectedStatus: 200 });
    },
  });

const measureOffers = (service: Service, measure: ScenarioMeter): Promise<ScenarioResult[]> =>
  measure({
    name: 'offer to a phone',
    items: Array.from({ length: countRequiredItems() }, (_, i) => `+551198${1_000_000 + i}`),
    callers: CLIENTS,
    perform: async (phone) => void (await createOffer(service, { phone })),
  });

async function createOffer(service: Service, { phone }: { phone?: string }): Promise<CreatedOffer> {
  const body = { ...ORDER, phone };
  const options = { headers: MERCHANT_HEADERS, expectedStatus: 201 };
  return JSON.parse(await post(`${service.url}/merchant/offers`, body, options)) as CreatedOffer;
}

/** Measures the creation of open offers, which are addressed to no phone, and one claim of each of them, by link or by code. */
async function measureClaims(
  service: Service,
  buyers: readonly Buyer[],
  measure: ScenarioMeter,
): Promise<ScenarioResult[]> {
  const offers: CreatedOffer[] = [];
  const offerResults = await measure({
    name: 'open offer',
    items: Array.from({ length: countRequiredItems() }),
    callers: CLIENTS,
    perform: async () => void offers.push(await createOffer(service, {})),
  });
  const measureClaim = (name: string, claims: object[]) =>
    measure({
      name,
      items: claims.map((claim, i) => ({ claim, buyer: buyers[i % buyers.length]! })),
      callers: CLIENTS,
      perform: async ({ claim, buyer }) => {
        const headers = { 'x-token': buyer.token, 'x-forwarded-for': generateIpAddress() };
        const options = { headers, expectedStatus: 200 };
        await post(`${service.url}/wallet/offers/claim`, claim, options);
      },
    });
  // If `--only` excludes the scenario above, it has created no offers.
  while (offers.length < 2 * countRequiredItems()) offers.push(await createOffer(service, {}));
  const linkResults = await measureClaim(
    'claim by link',
    offers.slice(0, countRequiredItems()).map(({ link }) => ({ token: link.split('/').at(-1) })),
  );
  const codeResults = await measureClaim(
    'claim by code',
    offers.slice(countRequiredItems()).map(({ code }) => ({ code })),
  );
  return [...offerResults, ...linkResults, ...codeResults];
}

/** Measures acceptances. Consecutive ones are of different customers, because acceptances of one customer wait for the same lock. */
async function measureAcceptances(
  service: Service,
  buyers: readonly Buyer[],
  measure: ScenarioMeter,
): Promise<ScenarioResult[]> {
  const offers: AddressedOffer[] = [];
  for (let round = 0; round < OFFERS_PER_PHONE; round++)
    for (const { phone, token } of buyers) {
      const { id } = await createOffer(service, { phone });
      offers.push({ id, token });
    }
  return measure({
    name: 'acceptance',
    items: offers,
    callers: CLIENTS,
    perform: async ({ id, token }) => {
      const options = { headers: { 'x-token': token }, expectedStatus: 201 };
      await post(`${service.url}/wallet/offers/${id}/accept`, {}, options);
    },
  });
}
