import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, day, daysBetween } from '../values/day.ts';
import { maskName } from '../values/mask-name.ts';
import { cents } from '../values/money.ts';
import {
  computeEarliestValidInvitedAt,
  computeExpiryDay,
  computeLotDeductions,
  isRewardEarned,
  type LotLine,
  replayLots,
} from './cashback.ts';

test('cashback earned one minute before midnight in São Paulo expires a day earlier than one minute after', () => {
  assert.equal(computeExpiryDay(Date.parse('2026-11-15T02:59:00Z')), '2027-05-13');
  assert.equal(computeExpiryDay(Date.parse('2026-11-15T03:01:00Z')), '2027-05-14');
});

test('an invitation can be rewarded through its 90th day, by the clocks of São Paulo', () => {
  const invitedAt = Date.parse('2026-11-15T12:00:00Z');
  const afterDeadline = Date.parse('2027-02-14T03:00:00Z');
  assert.equal(isRewardEarned(invitedAt, afterDeadline - 1), true);
  assert.equal(isRewardEarned(invitedAt, afterDeadline), false);
  assert.equal(isRewardEarned(invitedAt, null), false);
  const midnight = Date.parse('2026-11-15T03:00:00Z');
  assert.equal(computeEarliestValidInvitedAt(day('2027-02-13')), midnight);
  assert.equal(isRewardEarned(midnight, afterDeadline - 1), true);
  assert.equal(isRewardEarned(midnight - 1, afterDeadline - 1), false);
});

const createLot = (position: number, expiresOn: string, remaining: number) => ({
  position,
  expiresOn: day(expiresOn),
  remaining: cents(remaining),
});
const LOT_3 = createLot(3, '2027-01-10', 100);
const LOT_1 = createLot(1, '2027-02-10', 100);
const LOT_2 = createLot(2, '2027-02-10', 100);

test('an amount is taken from the given lot, then from lots that expire first, then from older lots', () => {
  const describeDeductions = (amount: number, ownPosition?: number) =>
    computeLotDeductions([LOT_2, LOT_1, LOT_3], cents(amount), ownPosition).map(
      (deduction) => `${deduction.position}: ${deduction.amount}`,
    );
  assert.deepEqual(describeDeductions(150), ['3: 100', '1: 50']);
  assert.deepEqual(describeDeductions(250), ['3: 100', '1: 100', '2: 50']);
  assert.deepEqual(describeDeductions(120, 2), ['2: 100', '3: 20']);
  assert.deepEqual(describeDeductions(999), ['3: 100', '1: 100', '2: 100']);
  assert.deepEqual(describeDeductions(0), []);
});

test('a name is masked except for the first name', () => {
  assert.equal(maskName('Carla Nunes'), 'Carla N***');
  assert.equal(maskName('  Ana   Maria de Souza '), 'Ana M*** d*** S***');
  assert.equal(maskName('Zé'), 'Z***');
  assert.equal(maskName('Íris Ávila'), 'Íris Á***');
});

/** Replays a statement in a reference model, in which each centavo has its own expiry day. Returns the remaining centavos by lot. */
function replayByCentavo(lines: readonly LotLine[]): Map<number, number> {
  const centavos: Array<{ position: number; expiresOn: Day }> = [];
  let debt = 0;
  for (const line of lines) {
    for (let i = 0; i < line.amount; i++) {
      if (!line.isDebit) {
        if (debt > 0) debt--;
        else centavos.push({ position: line.position, expiresOn: line.expiresOn });
        continue;
      }
      centavos.sort((a, b) => daysBetween(b.expiresOn, a.expiresOn) || a.position - b.position);
      const ownIndex = centavos.findIndex(({ position }) => position === line.lotPosition);
      if (centavos.length === 0) debt++;
      else centavos.splice(Math.max(0, ownIndex), 1);
    }
  }
  return centavos.reduce(
    (lots, { position }) => lots.set(position, (lots.get(position) ?? 0) + 1),
    new Map(),
  );
}

const anyStepOf = (action: 'credit' | 'debit' | 'reversal', max: number) =>
  fc.record({ action: fc.constant(action), amount: fc.integer({ min: 1, max }), days: fc.nat(9) });
const anyStep = fc.oneof(anyStepOf('credit', 30), anyStepOf('debit', 40), anyStepOf('reversal', 30));

test('the lots add up to the balance, or to zero if it is negative, and agree with a model that counts centavos', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
      const lines: LotLine[] = steps.map(({ action, amount, days }, i): LotLine => {
        const commonFields = { position: i + 1, amount: cents(amount) };
        if (action === 'credit')
          return { ...commonFields, isDebit: false, expiresOn: addDays(day('2027-01-01'), days) };
        const creditPositions = steps
          .slice(0, i)
          .flatMap((step, k) => (step.action === 'credit' ? [k + 1] : []));
        // In a reversal, `days` chooses the credit that is reversed.
        const isReversal = action === 'reversal' && creditPositions.length > 0;
        const lotPosition = isReversal ? creditPositions[days % creditPositions.length]! : null;
        return { ...commonFields, isDebit: true, lotPosition, isExpiry: false };
      });
      const { lots, balance } = replayLots(lines);
      const lotsWithMoney = [...lots.values()].filter(({ remaining }) => remaining > 0);
      assert.deepEqual(
        new Map(lotsWithMoney.map(({ position, remaining }) => [position, remaining])),
        new Map([...replayByCentavo(lines)].toSorted(([a], [b]) => a - b)),
      );
      assert.equal(
        lotsWithMoney.reduce((total, { remaining }) => total + remaining, 0),
        Math.max(0, balance),
      );
    }),
  );
});

test('the expired part of a lot is distinguished from the used part', () => {
  const { lots } = replayLots([
    { position: 1, amount: cents(100), isDebit: false, expiresOn: day('2027-01-10') },
    { position: 2, amount: cents(30), isDebit: true, lotPosition: null, isExpiry: false },
    { position: 3, amount: cents(70), isDebit: true, lotPosition: 1, isExpiry: true },
  ]);
  assert.deepEqual([lots.get(1)!.remaining, lots.get(1)!.expired], [0, 70]);
});
