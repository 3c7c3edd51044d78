import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, eventually, type Node, openService } from '../../../test/harness.ts';
import { MERCHANT_KEY, openOfferDesk } from '../../../test/offer-desk.ts';
import { openShop } from '../../../test/shop.ts';

const service = await openService();
const neighbour = await service.startNode();
const shop = openShop(service);
const { accept, cancel, claim, decline, listEventTypes, createOpenOffer, getOffer, createToken } =
  await openOfferDesk(service);
const ROUNDS = 2;
service.clock.set('2027-03-01T15:00:00.000Z');

const shoppers = await Promise.all([1, 2, 3, 4].map(() => shop.newShopper(10_000)));
/** Tokens are valid for fifteen minutes, so new ones are needed after the clock was moved. */
const tokens = async () => Promise.all(shoppers.map(createToken));
const codeOf = ({ status, body }: ApiResponse) => `${status} ${body?.code ?? 'done'}`;
const count = (responses: ApiResponse[]) =>
  Object.fromEntries(
    Map.groupBy(responses.map(codeOf), (code) => code)
      .entries()
      .map(([code, all]) => [code, all.length]),
  );

/** The final status of the offer, which must match its events. */
async function outcomeOf(id: string): Promise<string> {
  const { status } = await eventually('it is closed', async () => {
    const offer = await getOffer(id);
    if (offer.status === 'pending' || (await listEventTypes(id)).includes(`offer.${offer.status}`))
      return offer;
    // A sweep skips an offer that another transaction has locked.
    await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
    return undefined;
  });
  const closings = (await listEventTypes(id)).filter(
    (type) => !['offer.created', 'offer.claimed'].includes(type),
  );
  assert.deepEqual(closings, status === 'pending' ? [] : [`offer.${status}`]);
  return status;
}

/** Runs all races on one node and on two. */
for (const [where, otherNode] of [
  ['on one node', service],
  ['on two nodes', neighbour],
] as Array<[string, Node]>) {
  const at = (i: number) => (i % 2 ? otherNode : service);

  test(`concurrent claims, ${where}: one customer gets the offer, and one event is emitted`, async () => {
    const buyer = await tokens();
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code, link } = await createOpenOffer();
      const token = link.split('/').at(-1)!;
      const responses = await Promise.all(
        [...buyer, ...buyer].map((who, i) => claim(i < 4 ? { code } : { token }, who, at(i))),
      );
      const won = responses.flatMap(({ status }, i) => (status === 200 ? [i % 4] : []));
      assert.equal(new Set(won).size, 1, 'both claims of one customer, and of no other');
      assert.deepEqual(count(responses), { '200 done': 2, '409 offer_claimed': 6 });
      assert.deepEqual(await listEventTypes(id), ['offer.claimed', 'offer.created']);
      const row = await service.db.row<{ customer_id: string }>(
        sql`select customer_id from offers where id = ${id}`,
      );
      assert.equal(row!.customer_id, shoppers[won[0]!]!.id);
      service.clock.advance(1);
    }
  });

  test(`a claim that races with the expiry, ${where}: the offer is claimed for two days or expired, never both`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer({ expires_in: 60 });
      service.clock.advance(59_999);
      const [claimant] = await tokens();
      const racing = [claim({ code }, claimant!, service), claim({ code }, claimant!, otherNode)];
      service.clock.advance(1);
      await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
      const late = claim({ code }, claimant!, otherNode);
      const answers = await Promise.all([...racing, late]);
      const isClaimed = answers.some(({ status }) => status === 200);
      if (!isClaimed) assert.deepEqual(count(answers), { '409 offer_expired': 3 });
      const status = await outcomeOf(id);
      assert.equal(status, isClaimed ? 'pending' : 'expired');
      assert.equal((await listEventTypes(id)).includes('offer.claimed'), isClaimed);
      assert.equal((await getOffer(id)).claimed_at !== null, isClaimed);
    }
  });

  test(`a claim that races with a cancellation, ${where}: the offer ends up cancelled`, async () => {
    const [claimant] = await tokens();
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer();
      const [claimResponse, cancelResponse] = await Promise.all([
        claim({ code }, claimant!),
        cancel(id, MERCHANT_KEY, otherNode),
      ]);
      assert.equal(cancelResponse.status, 200);
      assert.ok(['200 done', '409 offer_closed'].includes(codeOf(claimResponse)), claimResponse.text);
      assert.equal(await outcomeOf(id), 'cancelled');
      assert.equal((await listEventTypes(id)).includes('offer.claimed'), claimResponse.status === 200);
    }
  });

  test(`an acceptance of a claimed offer that races with cancellation, decline and expiry, ${where}: one outcome`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, code } = await createOpenOffer();
      assert.equal((await claim({ code }, (await tokens())[0]!)).status, 200);
      const expires = round % 2 === 1;
      if (expires) service.clock.advance(2 * DAY_MS - 1);
      const [claimant] = await tokens();
      const racing = Promise.all([
        accept(id, claimant!),
        accept(id, claimant!, {}, {}, otherNode),
        cancel(id, MERCHANT_KEY, otherNode),
        decline(id, claimant!, otherNode),
      ]);
      if (expires) {
        service.clock.advance(1);
        await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
      }
      const answers = await racing;
      const won = answers.filter(({ status }) => status < 300).length;
      assert.ok(expires ? won <= 1 : won === 1, JSON.stringify(count(answers)));
      const status = await outcomeOf(id);
      const [firstResponse, secondResponse, cancelResponse, declineResponse] = answers as [
        ApiResponse,
        ApiResponse,
        ApiResponse,
        ApiResponse,
      ];
      const bought = firstResponse.status === 201 || secondResponse.status === 201;
      const expectedStatus = bought
        ? 'accepted'
        : cancelResponse.status === 200
          ? 'cancelled'
          : declineResponse.status === 204
            ? 'declined'
            : 'expired';
      assert.equal(status, expectedStatus);
      assert.equal((await getOffer(id)).checkout_hash !== null, bought);
    }
  });

  test(`two claimed offers that together exceed the limit are accepted concurrently, ${where}: exactly one is bought`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const buyer = await shop.newShopper(150);
      const claimant = await createToken(buyer);
      const offers = [await createOpenOffer(), await createOpenOffer()];
      for (const { code } of offers) assert.equal((await claim({ code }, claimant)).status, 200);
      const responses = await Promise.all(offers.map(({ id }, i) => accept(id, claimant, {}, {}, at(i))));
      assert.deepEqual(count(responses), { '201 done': 1, '422 credit_limit_exceeded': 1 });
      const statuses = await Promise.all(offers.map(({ id }) => outcomeOf(id)));
      assert.deepEqual(statuses.toSorted(), ['accepted', 'pending']);
      assert.deepEqual(await shop.listMismatches(buyer.id), []);
    }
  });
}

test('offer.expired of an open offer is emitted within seconds, by a job that the previous sweep scheduled', async () => {
  const { id } = await createOpenOffer({ expires_in: 60 });
  service.clock.advance(59_000);
  await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
  await eventually('its expiry is scheduled', async () => {
    const row = await service.db.row<{ jobs: number }>(sql`
      select count(*) as jobs from graphile_worker.jobs where task_identifier = 'offers_expire'`);
    return row!.jobs > 0;
  });
  service.clock.advance(2_000);
  await eventually('the event is emitted', async () => (await listEventTypes(id)).includes('offer.expired'));
});
