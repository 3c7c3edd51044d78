import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, enqueueTask, eventually, type Node, openService } from '../../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPurchaseDriver } from '../../../test/purchase-driver.ts';

const service = await openService();
const secondNode = await service.startNode();
const driver = createPurchaseDriver(service);
const { accept, cancel, claim, decline, listEventTypes, createOpenOffer, getOffer, createToken } =
  await createOfferDriver(service);
/** How often each race is repeated. */
const ROUNDS = 2;
service.clock.set('2027-03-01T15:00:00.000Z');

const customers = await Promise.all([1, 2, 3, 4].map(() => driver.createCustomer({ limitReais: 10_000 })));
/** Creates new tokens, which are needed after the clock was moved, because tokens are valid for fifteen minutes. */
const createTokens = async () => Promise.all(customers.map(createToken));
const formatOutcome = ({ status, body }: ApiResponse) => `${status} ${body?.code ?? 'done'}`;
const countOutcomes = (responses: ApiResponse[]) =>
  Object.fromEntries(
    [...Map.groupBy(responses, formatOutcome)].map(([outcome, group]) => [outcome, group.length]),
  );

/** Returns the status of the offer once its event is stored, and asserts that there is no other closing event. A pending offer has none. */
async function waitForStatus(id: string): Promise<string> {
  const { status } = await eventually('the offer is closed', async () => {
    const offer = await getOffer(id);
    if (offer.status === 'pending' || (await listEventTypes(id)).includes(`offer.${offer.status}`))
      return offer;
    // A sweep skips an offer that another transaction has locked.
    await enqueueTask(service, 'offers_sweep');
    return undefined;
  });
  const closingEvents = (await listEventTypes(id)).filter(
    (type) => !['offer.created', 'offer.claimed'].includes(type),
  );
  assert.deepEqual(closingEvents, status === 'pending' ? [] : [`offer.${status}`]);
  return status;
}

/** Runs all races on one node and on two nodes. */
for (const [placement, otherNode] of [
  ['on one node', service],
  ['on two nodes', secondNode],
] as Array<[string, Node]>) {
  const pickNode = (i: number) => (i % 2 ? otherNode : service);

  test(`concurrent claims, ${placement}: one customer gets the offer, and one event is emitted`, async () => {
    const buyerTokens = await createTokens();
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code, link } = await createOpenOffer();
      const token = link.split('/').at(-1)!;
      const responses = await Promise.all(
        [...buyerTokens, ...buyerTokens].map((buyerToken, i) =>
          claim(i < buyerTokens.length ? { code } : { token }, buyerToken, { node: pickNode(i) }),
        ),
      );
      const winnerIds = responses.flatMap(({ status }, i) =>
        status === 200 ? [customers[i % customers.length]!.id] : [],
      );
      assert.equal(new Set(winnerIds).size, 1, 'both claims of one customer succeed, and no others');
      assert.deepEqual(countOutcomes(responses), { '200 done': 2, '409 offer_claimed': 6 });
      assert.deepEqual(await listEventTypes(id), ['offer.claimed', 'offer.created']);
      const row = await service.db.row<{ customer_id: string }>(
        sql`select customer_id from offers where id = ${id}`,
      );
      assert.equal(row!.customer_id, winnerIds[0]);
      service.clock.advance(1);
    }
  });

  test(`a claim that races with the expiry, ${placement}: the offer is claimed for two days or expired, never both`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer({ expires_in: 60 });
      service.clock.advance(59_999); // one millisecond before the deadline
      const [claimantToken] = await createTokens();
      const claims = [claim({ code }, claimantToken!), claim({ code }, claimantToken!, { node: otherNode })];
      service.clock.advance(1);
      await enqueueTask(service, 'offers_sweep');
      const lateClaim = claim({ code }, claimantToken!, { node: otherNode });
      const responses = await Promise.all([...claims, lateClaim]);
      const isClaimed = responses.some(({ status }) => status === 200);
      if (!isClaimed) assert.deepEqual(countOutcomes(responses), { '409 offer_expired': 3 });
      const status = await waitForStatus(id);
      assert.equal(status, isClaimed ? 'pending' : 'expired');
      assert.equal((await listEventTypes(id)).includes('offer.claimed'), isClaimed);
      assert.equal((await getOffer(id)).claimed_at !== null, isClaimed);
    }
  });

  test(`a claim that races with a cancellation, ${placement}: the offer ends up cancelled`, async () => {
    const [claimantToken] = await createTokens();
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer();
      const [claimResponse, cancelResponse] = await Promise.all([
        claim({ code }, claimantToken!),
        cancel(id, MERCHANT_KEY, otherNode),
      ]);
      assert.equal(cancelResponse.status, 200);
      assert.ok(['200 done', '409 offer_closed'].includes(formatOutcome(claimResponse)), claimResponse.text);
      assert.equal(await waitForStatus(id), 'cancelled');
      assert.equal((await listEventTypes(id)).includes('offer.claimed'), claimResponse.status === 200);
    }
  });

  test(`an acceptance of a claimed offer that races with cancellation, decline and expiry, ${placement}: one outcome`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer();
      const [earlierToken] = await createTokens();
      assert.equal((await claim({ code }, earlierToken!)).status, 200);
      const isExpiring = round % 2 === 1;
      if (isExpiring) service.clock.advance(2 * DAY_MS - 1);
      const [claimantToken] = await createTokens();
      const attempts = Promise.all([
        accept(id, claimantToken!),
        accept(id, claimantToken!, {}, { node: otherNode }),
        cancel(id, MERCHANT_KEY, otherNode),
        decline(id, claimantToken!, otherNode),
      ]);
      if (isExpiring) {
        service.clock.advance(1);
        await enqueueTask(service, 'offers_sweep');
      }
      const responses = await attempts;
      const successes = responses.filter(({ status }) => status < 300).length;
      assert.ok(isExpiring ? successes <= 1 : successes === 1, JSON.stringify(countOutcomes(responses)));
      const status = await waitForStatus(id);
      const [firstAcceptResponse, secondAcceptResponse, cancelResponse, declineResponse] = responses;
      const isBought = firstAcceptResponse.status === 201 || secondAcceptResponse.status === 201;
      const expectedStatuses = [
        ...(isBought ? ['accepted'] : []),
        ...(cancelResponse.status === 200 ? ['cancelled'] : []),
        ...(declineResponse.status === 204 ? ['declined'] : []),
      ];
      assert.deepEqual(expectedStatuses.length === 0 ? ['expired'] : expectedStatuses, [status]);
      assert.equal((await getOffer(id)).checkout_hash !== null, isBought);
    }
  });

  test(`two claimed offers that together exceed the limit are accepted concurrently, ${placement}: exactly one is bought`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await driver.createCustomer({ limitReais: 150 });
      const claimantToken = await createToken(customer);
      const offers = [await createOpenOffer(), await createOpenOffer()];
      for (const { code } of offers) assert.equal((await claim({ code }, claimantToken)).status, 200);
      const responses = await Promise.all(
        offers.map(({ id }, i) => accept(id, claimantToken, {}, { node: pickNode(i) })),
      );
      assert.deepEqual(countOutcomes(responses), { '201 done': 1, '422 credit_limit_exceeded': 1 });
      const statuses = await Promise.all(offers.map(({ id }) => waitForStatus(id)));
      assert.deepEqual(statuses.toSorted(), ['accepted', 'pending']);
      assert.deepEqual(await driver.listMismatches(customer.id), []);
    }
  });
}

test('offer.expired of an open offer is emitted within seconds, by a job that the previous sweep scheduled', async () => {
  const { id } = await createOpenOffer({ expires_in: 60 });
  service.clock.advance(59_000);
  await enqueueTask(service, 'offers_sweep');
  await eventually('the expiry is scheduled', async () => {
    const jobCount = await service.db.value<number>(sql`
      select count(*) from graphile_worker.jobs where task_identifier = 'offers_expire'`);
    return jobCount! > 0;
  });
  service.clock.advance(2_000);
  await eventually('the event is emitted', async () => (await listEventTypes(id)).includes('offer.expired'));
});
