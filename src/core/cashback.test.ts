import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  invitedInTimeFrom,
  isRewardDeserved,
  type LotLine,
  lastDayOf,
  replayLots,
  takeFrom,
} from './cashback.ts';
import { addDays, day } from './day.ts';
import { maskName } from './mask-name.ts';
import { cents } from './money.ts';

test('earned one minute before midnight in São Paulo it ends a day sooner than earned one minute after', () => {
  assert.equal(lastDayOf(Date.parse('2026-11-15T02:59:00Z')), '2027-05-13');
  assert.equal(lastDayOf(Date.parse('2026-11-15T03:01:00Z')), '2027-05-14');
});

test('an invitation can be rewarded through its 90th day, by the clocks of São Paulo', () => {
  const invitedAt = Date.parse('2026-11-15T12:00:00Z');
  const over = Date.parse('2027-02-14T03:00:00Z');
  assert.equal(isRewardDeserved(invitedAt, over - 1), true);
  assert.equal(isRewardDeserved(invitedAt, over), false);
  assert.equal(isRewardDeserved(invitedAt, null), false);
  const midnight = Date.parse('2026-11-15T03:00:00Z');
  assert.equal(invitedInTimeFrom(day('2027-02-13')), midnight);
  assert.equal(isRewardDeserved(midnight, over - 1), true);
  assert.equal(isRewardDeserved(midnight - 1, over - 1), false);
});

const lot = (position: number, expiresOn: string, remaining: number) => ({
  position,
  expiresOn: day(expiresOn),
  remaining: cents(remaining),
});
const A = lot(3, '2027-01-10', 100);
const B = lot(1, '2027-02-10', 100);
const C = lot(2, '2027-02-10', 100);

test('taken is first what expires first, of the same day what came first; its own lot before all others', () => {
  const taken = (amount: number, own?: number) =>
    takeFrom([C, B, A], cents(amount), own).map((take) => `${take.position}: ${take.amount}`);
  assert.deepEqual(taken(150), ['3: 100', '1: 50']);
  assert.deepEqual(taken(250), ['3: 100', '1: 100', '2: 50']);
  assert.deepEqual(taken(120, 2), ['2: 100', '3: 20']);
  assert.deepEqual(taken(999), ['3: 100', '1: 100', '2: 100']);
  assert.deepEqual(taken(0), []);
});

test('a name is masked but for the first name', () => {
  assert.equal(maskName('Carla Nunes'), 'Carla N***');
  assert.equal(maskName('  Ana   Maria de Souza '), 'Ana M*** d*** S***');
  assert.equal(maskName('Zé'), 'Z***');
  assert.equal(maskName('Íris Ávila'), 'Íris Á***');
});

/** Centavo by centavo: each has its own last day. */
function model(lines: readonly LotLine[]): Map<number, number> {
  const purse: Array<{ position: number; expiresOn: string }> = [];
  let debt = 0;
  for (const line of lines) {
    for (let i = 0; i < line.amount; i++) {
      if (!line.went) {
        if (debt > 0) debt--;
        else purse.push({ position: line.position, expiresOn: line.expiresOn });
        continue;
      }
      purse.sort((a, b) =>
        a.expiresOn < b.expiresOn ? -1 : a.expiresOn > b.expiresOn ? 1 : a.position - b.position,
      );
      const own = purse.findIndex(({ position }) => position === line.of);
      if (purse.length === 0) debt++;
      else purse.splice(Math.max(0, own), 1);
    }
  }
  return purse.reduce((left, { position }) => left.set(position, (left.get(position) ?? 0) + 1), new Map());
}

const anyStep = fc.oneof(
  fc.record({ what: fc.constant('come' as const), amount: fc.integer({ min: 1, max: 30 }), days: fc.nat(9) }),
  fc.record({ what: fc.constant('go' as const), amount: fc.integer({ min: 1, max: 40 }), days: fc.nat(9) }),
  fc.record({ what: fc.constant('back' as const), amount: fc.integer({ min: 1, max: 30 }), days: fc.nat(9) }),
);

test('lots hold together what the balance is, or nothing below zero; each what a count by centavos leaves', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
      const lines: LotLine[] = steps.map(({ what, amount, days }, i): LotLine => {
        const shared = { position: i + 1, amount: cents(amount) };
        if (what === 'come') return { ...shared, went: false, expiresOn: addDays(day('2027-01-01'), days) };
        const came = steps.slice(0, i).flatMap((step, at) => (step.what === 'come' ? [at + 1] : []));
        const of = what === 'back' && came.length > 0 ? came[days % came.length]! : null;
        return { ...shared, went: true, of, expired: false };
      });
      const { lots, balance } = replayLots(lines);
      const left = [...lots.values()].filter(({ remaining }) => remaining > 0);
      assert.deepEqual(
        new Map(left.map(({ position, remaining }) => [position, remaining])),
        new Map([...model(lines)].toSorted(([a], [b]) => a - b)),
      );
      assert.equal(
        left.reduce((total, { remaining }) => total + remaining, 0),
        Math.max(0, balance),
      );
    }),
  );
});

test('what of a lot expired is told apart from what was taken', () => {
  const { lots } = replayLots([
    { position: 1, amount: cents(100), went: false, expiresOn: day('2027-01-10') },
    { position: 2, amount: cents(30), went: true, of: null, expired: false },
    { position: 3, amount: cents(70), went: true, of: 1, expired: true },
  ]);
  assert.deepEqual([lots.get(1)!.remaining, lots.get(1)!.expired], [0, 70]);
});
