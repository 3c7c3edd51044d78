import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Problem } from '#platform/problem.ts';
import {
  checkTransition,
  computeState,
  computeStatus,
  type OfferState,
  type OfferStateColumns,
  TRANSITIONS,
} from './states.ts';

const NOW = new Date('2027-03-01T15:00:00.000Z');
const LATER = new Date(NOW.getTime() + 1);
const ACTIONS = ['claim', 'accept', 'decline', 'cancel'] as const;

/** An offer in each state, as it is stored. */
const OFFERS: Record<OfferState, OfferStateColumns> = {
  open: { status: 'pending', phone_hash: null, customer_id: null, expires_at: LATER },
  bound: { status: 'pending', phone_hash: null, customer_id: 'cus_1', expires_at: LATER },
  accepted: { status: 'accepted', phone_hash: null, customer_id: 'cus_1', expires_at: LATER },
  declined: { status: 'declined', phone_hash: Buffer.of(1), customer_id: null, expires_at: LATER },
  expired: { status: 'expired', phone_hash: null, customer_id: null, expires_at: NOW },
  cancelled: { status: 'cancelled', phone_hash: null, customer_id: null, expires_at: LATER },
};
const STATES = Object.keys(OFFERS) as OfferState[];

test('an offer without a phone is open until it is claimed; an offer to a phone is bound from the start', () => {
  for (const state of STATES) assert.equal(computeState(OFFERS[state], NOW), state);
  assert.equal(computeState({ ...OFFERS.open, phone_hash: Buffer.of(1) }, NOW), 'bound');
  assert.deepEqual(
    [computeStatus(OFFERS.open, NOW), computeStatus(OFFERS.bound, NOW)],
    ['pending', 'pending'],
  );
});

test('only open and bound offers expire, exactly at their deadline', () => {
  for (const state of STATES) {
    const expectedState = state === 'open' || state === 'bound' ? 'expired' : state;
    assert.equal(computeState({ ...OFFERS[state], expires_at: NOW }, NOW), expectedState);
  }
});

test('each action in each state leads to the state of the table, or is rejected with the reason', () => {
  const outcomes = STATES.map((state) => ACTIONS.map((action) => getOutcome(state, action)));
  // Columns: claim, accept, decline, cancel. Rows: open, bound, accepted, declined, expired, cancelled.
  assert.deepEqual(outcomes, [
    ['bound', 'offer_claimed', 'offer_claimed', 'cancelled'],
    ['offer_claimed', 'accepted', 'declined', 'cancelled'],
    ['offer_closed', 'offer_closed', 'offer_closed', 'offer_closed'],
    ['offer_closed', 'offer_closed', 'declined', 'offer_closed'],
    ['offer_expired', 'offer_expired', 'offer_expired', 'offer_expired'],
    ['offer_closed', 'offer_closed', 'offer_closed', 'cancelled'],
  ]);
});

test('the state diagram in docs/selling.md matches the table', async () => {
  const page = await readFile(new URL('../../../docs/selling.md', import.meta.url), 'utf8');
  const diagram = [...page.matchAll(/^ +(\w+) --> (\w+): (\w+)$/gm)].map(([, from, to, action]) => [
    from,
    action,
    to,
  ]);
  const table = STATES.flatMap((from) =>
    Object.entries(TRANSITIONS[from])
      .filter(([, to]) => to !== from)
      .map(([action, to]) => [from, action, to]),
  );
  assert.deepEqual(diagram.toSorted(), table.toSorted());
});

function getOutcome(state: OfferState, action: (typeof ACTIONS)[number]): string {
  try {
    return checkTransition(OFFERS[state], action, NOW);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.kind.code;
  }
}
