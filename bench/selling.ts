import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { openDb } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { startService } from './processes.ts';
import {
  CLIENTS,
  inParallel,
  insertsPerSecond,
  logIn,
  type Measured,
  makeCustomer,
  measured,
  post,
  type Running,
} from './rates.ts';
import { onStage } from './stage.ts';

const QUOTES = 4_000;
const STRANGERS = 1_500;
const CUSTOMERS = 48;
/** The most offers one merchant may make to one phone in a day. */
const OFFERS_EACH = 5;

const OPEN_OFFERS = 1_500;

const TILL = { 'x-api-key': 'sandbox-merchant-key' };

/** Quotes, offers, claims and acceptances a second, compared with plain inserts of one row on the same database in the same run. */
export async function sellingBench(): Promise<boolean> {
  return onStage(({ url }) => measureSelling(url));
}

async function measureSelling(databaseUrl: string): Promise<boolean> {
  const db = openDb({ url: databaseUrl, poolSize: 4, label: 'bench', vault: new Vault(SANDBOX_SECRETS) });
  const service = await startService({ DATABASE_URL: databaseUrl });
  const bar = new ProgressBar('selling');
  const show = (text: string) => bar.show(undefined, text);
  try {
    show('customers ...');
    const phones = Array.from({ length: CUSTOMERS }, (_, i) => `+551197${1_000_000 + i}`);
    for (const phone of phones) await makeCustomer(db, phone);
    const tokens = await logIn(service, phones);
    show('plain inserts ...');
    const before = await insertsPerSecond(databaseUrl);
    show('quotes ...');
    const quotes = await measureQuotes(service);
    show('offers ...');
    const strangers = Array.from({ length: STRANGERS }, (_, i) => `+551198${1_000_000 + i}`);
    const offers = await measured('offers', service, STRANGERS, () =>
      inParallel(strangers, CLIENTS, async (phone) => void (await offer(service, phone))),
    );
    show('open offers and claims ...');
    const [open, byLink, byCode] = await measureClaims(service, tokens);
    show('acceptances ...');
    const acceptances = await measureAcceptances(service, phones, tokens);
    show('plain inserts ...');
    const after = await insertsPerSecond(databaseUrl);
    bar.clear();
    report((before + after) / 2, [quotes, offers, open, byLink, byCode, acceptances]);
    return true;
  } finally {
    bar.clear();
    await service.stop();
    await db.close();
  }
}

function report(inserts: number, all: Measured[]): void {
  const rows = all.map(({ name, rate, cpu }) => [
    name,
    rate.toFixed(0),
    inserts.toFixed(0),
    (rate / inserts).toFixed(3),
    `${(cpu * 100).toFixed(0)} %`,
  ]);
  const heads = ['SELLING', 'A SECOND', 'PLAIN INSERTS', 'RATIO', "SERVICE'S CPU (OF ONE CORE)"];
  process.stdout.write(`${table(heads, rows)}\n`);
}

const measureQuotes = (service: Running): Promise<Measured> =>
  measured('quotes', service, QUOTES, () =>
    inParallel(
      Array.from({ length: QUOTES }, (_, i) => i),
      CLIENTS,
      async (i) => {
        const wish = { amount: (10_000 + i) / 100, installments: 1 + (i % 12) };
        answered(await post(`${service.url}/merchant/quotes`, wish, TILL), 200);
      },
    ),
  );

async function offer(service: Running, phone: string): Promise<string> {
  const order = { phone, amount: 100, installments: 4 };
  return answered(await post(`${service.url}/merchant/offers`, order, TILL), 201).id;
}

/** Of open offers, each to be claimed once. */
async function measureClaims(
  service: Running,
  tokens: string[],
): Promise<[open: Measured, byLink: Measured, byCode: Measured]> {
  const made: Array<{ link: string; code: string }> = [];
  const order = { amount: 100, installments: 4 };
  const open = await measured('open offers', service, OPEN_OFFERS, () =>
    inParallel(Array<number>(OPEN_OFFERS).fill(0), CLIENTS, async () => {
      made.push(answered(await post(`${service.url}/merchant/offers`, order, TILL), 201));
    }),
  );
  const claim = (name: string, keys: object[]) =>
    measured(name, service, keys.length, () =>
      inParallel([...keys.entries()], CLIENTS, async ([i, key]) => {
        const headers = { 'x-token': tokens[i % tokens.length]! };
        answered(await post(`${service.url}/wallet/offers/claim`, key, headers), 200);
      }),
    );
  const [first, second] = [made.slice(0, OPEN_OFFERS / 2), made.slice(OPEN_OFFERS / 2)];
  const byLink = await claim(
    'claims by link',
    first.map(({ link }) => ({ token: link.split('/').at(-1) })),
  );
  const byCode = await claim(
    'claims by code',
    second.map(({ code }) => ({ code })),
  );
  return [open, byLink, byCode];
}

/** Acceptances of one customer run one after another: they need the same lock. */
async function measureAcceptances(service: Running, phones: string[], tokens: string[]): Promise<Measured> {
  const made: Array<{ id: string; token: string }> = [];
  for (let round = 0; round < OFFERS_EACH; round++)
    for (const [i, phone] of phones.entries())
      made.push({ id: await offer(service, phone), token: tokens[i]! });
  return measured('acceptances', service, made.length, () =>
    inParallel(made, CLIENTS, async ({ id, token }) => {
      const url = `${service.url}/wallet/offers/${id}/accept`;
      answered(await post(url, {}, { 'x-token': token }), 201);
    }),
  );
}

type Answered = { id: string; link: string; code: string };

function answered({ status, text }: Awaited<ReturnType<typeof post>>, wanted: number): Answered {
  if (status !== wanted) throw new Error(`${status}: ${text}`);
  return JSON.parse(text) as Answered;
}
