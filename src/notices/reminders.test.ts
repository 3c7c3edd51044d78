import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#core/day.ts';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { eventually, openService } from '../../test/harness.ts';
import type { Shopper } from '../../test/shop.ts';
import { openTill } from '../../test/till.ts';
import { insertMessage, sealContent } from '../messages/store.ts';

const service = await openService();
const till = openTill(service);

type SentReminder = {
  template: string;
  step: number | null;
  channel: string;
  text: string;
  code: string;
  link: string;
};

const toldTo = async ({ phone }: Pick<Shopper, 'phone'>): Promise<SentReminder[]> => {
  const path = `/sandbox/messages?limit=100&phone=${encodeURIComponent(phone)}`;
  return ((await till.staff('GET', path)).body.data as SentReminder[]).toReversed();
};
/** Ten in the morning in São Paulo. What a moved clock sets off is set off. */
async function moveTo(day: string, time = '13:00:00Z'): Promise<void> {
  service.clock.set(`${day}T${time}`);
  await service.db.run(sql`
    select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
  await whenQuiet();
}
/** Everything that the clock has set off is over. */
const whenQuiet = () =>
  eventually('no notices are under way', async () => {
    const row = await service.db.row<{ open: number }>(sql`
      select count(*) as open from graphile_worker.jobs
      where task_identifier in ('notices_of_the_day', 'send_messages') and run_at <= now()`);
    return row!.open === 0;
  });
const reminders = async (shopper: Shopper) =>
  (await toldTo(shopper)).filter(({ template }) => template === 'reminder');

test('seven weeks: reminded the day before and on the day, with a code that pays; late on days 1 and 3; never of what is paid', async () => {
  // A Monday; its weeks fall due on Mondays.
  await moveTo('2027-03-01');
  const shopper = await till.newShopper();
  const { hash } = await till.sell(shopper, { amount: 70, installments: 7 });
  const expected: string[] = [];
  for (let week = 1; week <= 7; week++) {
    const monday = new Date(Date.UTC(2027, 2, 1 + 7 * week));
    const dayOf = (days: number) => new Date(monday.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    await moveTo(dayOf(-1)); // a Sunday
    assert.equal((await reminders(shopper)).length, expected.length, 'nobody is reminded on a Sunday');
    await moveTo(dayOf(0), '10:30:00Z');
    assert.equal((await reminders(shopper)).length, expected.length, 'nor before eight');
    await moveTo(dayOf(0));
    expected.push('0');
    const told = await reminders(shopper);
    assert.equal(told.length, expected.length);
    const { text, code, link, channel } = told.at(-1)!;
    assert.equal(channel, 'whatsapp');
    assert.match(text, new RegExp(`vence hoje: .* ${week}/7 .*R\\$ 10,00`));
    assert.ok(text.includes(code) && text.includes(link));
    assert.ok(link.endsWith(`/carteira/compras/${hash}/${week}`));
    if (week === 3) {
      for (const [late, step] of [
        [1, '1'],
        [2, null],
        [3, '3'],
      ] as const) {
        await moveTo(dayOf(late));
        if (step) expected.push(step);
        assert.deepEqual(
          (await reminders(shopper)).map((one) => String(one.step)),
          expected,
        );
      }
      assert.match((await reminders(shopper)).at(-1)!.text, /em atraso: .*Credor: .*CNPJ/s);
    }
    const installment = await till.installment(hash, week);
    const charge = await till.charge(shopper, installment.id, 'settle_with_penalty');
    const sent = (await reminders(shopper)).at(-1)!;
    assert.equal(charge.br_code, sent.code, 'the code of the message is the code of the day');
    await till.payCode(charge.txid);
    await till.whenStatus(shopper, charge.id, 'paid');
    await whenQuiet();
    assert.equal((await toldTo(shopper)).at(-1)!.template, 'payment_received');
    await moveTo(dayOf(4));
    assert.equal((await reminders(shopper)).length, expected.length, 'never of what is paid');
  }
});

test('one reminder a day for everything due together; a clock that goes back and forth reminds nobody again', async () => {
  await moveTo('2027-06-02');
  const shopper = await till.newShopper();
  const bought = [
    await till.sell(shopper, { amount: 60, installments: 1 }),
    await till.sell(shopper, { amount: 40, installments: 1 }),
  ];
  for (const on of ['2027-06-08', '2027-06-05', '2027-06-08', '2027-06-09', '2027-06-08']) await moveTo(on);
  const told = await reminders(shopper);
  assert.deepEqual(
    told.map(({ step }) => step),
    [-1, 0],
  );
  for (const { text } of told) assert.match(text, /R\$ [46]0,00; .*R\$ [46]0,00\. Total R\$ 100,00/);
  const rows = await service.db.rows(sql`
    select from message_subjects s join customers c on c.id = s.customer_id
    where s.template = 'reminder' and c.id = ${shopper.id}`);
  assert.equal(rows.length, 4, 'one row for an installment and step');
  for (const { hash } of bought) {
    const { body } = await till.staff('GET', `/admin/messages?checkout=${hash}&template=reminder`);
    assert.equal(body.pagination.total, 2, 'each is about both purchases');
  }
});

test('paid between the decision and the sending: nothing is sent', async () => {
  await moveTo('2027-07-07');
  const shopper = await till.newShopper();
  const { installments } = await till.sell(shopper, { amount: 50, installments: 1 });
  service.clock.set('2027-07-14T13:00:00Z');
  const now = service.clock.now();
  const [one] = installments;
  const id = newId('msg', now);
  const written = {
    customerId: shopper.id,
    id,
    template: 'reminder',
    step: 0,
    day: day('2027-07-14'),
    content: sealContent(service.db.vault, id, { parts: { step: 0, items: [] } }),
    subjects: [{ about: `${one.id} ${one.effective_due_on}`, step: 0 }],
    checkouts: [],
    now: new Date(now.getTime() - 3_600_000),
    toldOn: day('2027-07-14'),
  } as const;
  await service.db.transaction(async (tx) => tx.write(insertMessage(written)));
  const charge = await till.charge(shopper, one.id, 'settle');
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.run('messages_sweep');
  await eventually('it is withdrawn', async () =>
    service.db.row(sql`
      select 1 as one from messages where customer_id = ${shopper.id} and id = ${id} and status = 'withdrawn'`),
  );
  assert.deepEqual(await reminders(shopper), []);
});

test('a newcomer moves the clock of the sandbox by some days, and the reminder arrives', async () => {
  service.clock.set('2027-09-08T13:00:00Z');
  const shopper = await till.newShopper();
  await till.sell(shopper, { amount: 50, installments: 1 });
  const moved = await till.staff('POST', '/sandbox/clock', { advance: 'P6D' });
  assert.equal(moved.status, 200, moved.text);
  await eventually('the reminder arrives', async () => (await reminders(shopper)).length === 1);
  assert.equal((await reminders(shopper))[0]!.step, -1);
  await till.staff('DELETE', '/sandbox/clock');
});

test('who wants no reminders before the due day gets those of the day and after', async () => {
  await moveTo('2027-08-03');
  const shopper = await till.newShopper();
  await till.sell(shopper, { amount: 50, installments: 1 });
  await service.db.run(sql`
    insert into message_preferences (customer_id, channels, reminders_before_due, news, updated_at)
    values (${shopper.id}, '{email,sms}', false, false, now())`);
  for (const on of ['2027-08-09', '2027-08-10', '2027-08-11']) await moveTo(on);
  const told = await reminders(shopper);
  assert.deepEqual(
    told.map(({ step, channel }) => [step, channel]),
    [
      [0, 'email'],
      [1, 'email'],
    ],
  );
});

async function payNow(shopper: Shopper, installmentId: string): Promise<void> {
  const charge = await till.charge(shopper, installmentId, 'settle_with_penalty');
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  await whenQuiet();
}

test('who pays within a day of a reminder is counted: three on the due day, two in time, the third reminded again', async () => {
  await moveTo('2027-10-04');
  const shoppers = await Promise.all([1, 2, 3].map(() => till.newShopper()));
  const ids: string[] = [];
  for (const shopper of shoppers)
    ids.push((await till.sell(shopper, { amount: 50, installments: 1 })).installments[0].id);
  await moveTo('2027-10-11');
  await payNow(shoppers[0]!, ids[0]!);
  await moveTo('2027-10-12', '12:00:00Z'); // a holiday; within 24 hours
  await payNow(shoppers[1]!, ids[1]!);
  await moveTo('2027-10-13'); // late by now, and reminded of it
  await payNow(shoppers[2]!, ids[2]!);
  const { body } = await till.staff('GET', '/admin/reports/reminders');
  assert.deepEqual(body, {
    on: '2027-10-13',
    from: '2027-10-07',
    data: [
      { step: 0, reminded: 3, paid_within_a_day: 2, percent: 66.7 },
      { step: 1, reminded: 1, paid_within_a_day: 1, percent: 100 },
    ],
    total: { reminded: 4, paid_within_a_day: 3, percent: 75 },
  });
  const { body: messages } = await till.staff('GET', '/admin/reports/messages');
  assert.ok(
    messages.data.some(
      (row: { channel: string; status: string; messages: number }) =>
        row.channel === 'whatsapp' && row.status === 'sent' && row.messages >= 7,
    ),
  );
});

test('a reminder is said again while it is true, by who may; paid meanwhile, the new one is withdrawn', async () => {
  await moveTo('2027-11-08');
  const shopper = await till.newShopper();
  const { hash, installments } = await till.sell(shopper, { amount: 50, installments: 1 });
  await moveTo('2027-11-16'); // the 15th is a holiday
  const list = async () =>
    (await till.staff('GET', `/admin/messages?checkout=${hash}&template=reminder`)).body.data;
  const [told] = await list();
  assert.deepEqual([told.status, told.step, told.channel], ['sent', 0, 'whatsapp']);
  service.clock.advance(1_000);
  const again = await till.staff('POST', `/admin/messages/${told.id}/resend`);
  assert.deepEqual([again.status, again.body.status], [201, 'queued'], again.text);
  await whenQuiet();
  const texts = (await reminders(shopper)).map(({ text }) => text);
  assert.equal(texts.length, 2);
  assert.equal(texts[0], texts[1]);
  await payNow(shopper, installments[0].id);
  service.clock.advance(1_000);
  const third = await till.staff('POST', `/admin/messages/${again.body.id}/resend`);
  assert.equal(third.status, 201, third.text);
  await whenQuiet();
  assert.deepEqual(
    (await list()).map(({ status }: { status: string }) => status),
    ['withdrawn', 'sent', 'sent'],
  );
  assert.equal((await reminders(shopper)).length, 2);
  const trail = await till.staff('GET', `/admin/audit-trail?subject=message:${again.body.id}`);
  assert.equal(trail.body.data[0].after.again, told.id);
});

test('the calendar at a secret address: what is unpaid, nothing of the person; made anew, the old one is gone', async () => {
  await moveTo('2027-12-01');
  const shopper = await till.newShopper();
  await till.sell(shopper, { amount: 30, installments: 3 });
  const token = await till.token(shopper);
  const { body: calendar } = await service.get('/wallet/calendar', { token });
  assert.deepEqual(
    [calendar.feed, calendar.data.map((one: { due_on: string }) => one.due_on)],
    [null, ['2027-12-08', '2027-12-15', '2027-12-22']],
  );
  const made = await service.post('/wallet/calendar/feed', undefined, { token });
  assert.equal(made.status, 201, made.text);
  const first = await fetch(made.body.url);
  const text = await first.text();
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'text/calendar; charset=utf-8']);
  assert.deepEqual(text.match(/DTSTART;VALUE=DATE:\d+/g), [
    'DTSTART;VALUE=DATE:20271208',
    'DTSTART;VALUE=DATE:20271215',
    'DTSTART;VALUE=DATE:20271222',
  ]);
  assert.equal(text.match(/SUMMARY:R\$ 10\\,00 · .* \d\/3/g)?.length, 3);
  assert.ok(!text.includes(shopper.phone) && !text.includes('Shopper') && !text.includes('VALARM'));
  const uids = (of: string) => of.match(/UID:\S+/g);
  assert.deepEqual(uids(await (await fetch(made.body.url)).text()), uids(text), 'uids stay');
  assert.ok((await service.get('/wallet/calendar', { token })).body.feed.created_at);
  const anew = await service.post('/wallet/calendar/feed', undefined, { token });
  assert.equal((await fetch(made.body.url)).status, 404);
  assert.equal((await fetch(anew.body.url)).status, 200);
  await service.call('DELETE', '/wallet/calendar/feed', { token });
  assert.equal((await fetch(anew.body.url)).status, 404);
  const wrong = made.body.url.replace(/calendar\/.*/, `calendar/${'x'.repeat(32)}.ics`);
  const statuses: number[] = [];
  for (let i = 0; i < 32; i++) statuses.push((await fetch(wrong)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429]);
});

test('cashback about to expire is told once, a week before, or on the next allowed day where that is a Sunday', async () => {
  await moveTo('2027-06-01');
  const shopper = await till.newShopper();
  const adjusted = await till.staff('POST', `/admin/cashback/${shopper.id}/adjust`, {
    amount: 12.34,
    reason: 'Cortesia',
  });
  const [{ expires_on }] = adjusted.body.expiring;
  assert.equal(expires_on, '2027-11-28', 'seven days before is a Sunday');
  const told = async () =>
    (await toldTo(shopper)).flatMap(({ template, text }) => (template === 'cashback_expiring' ? [text] : []));
  for (const day of ['2027-11-20', '2027-11-21']) {
    await moveTo(day);
    assert.deepEqual(await told(), [], day);
  }
  for (const day of ['2027-11-22', '2027-11-23']) {
    await moveTo(day);
    const texts = await told();
    assert.equal(texts.length, 1, day);
    assert.match(texts[0]!, /R\$ 12,34 de cashback valem só até 28\/11/);
  }
});

test('what falls due today and tomorrow is said to fall due, not to fall due today', async () => {
  await moveTo('2028-03-06'); // a Monday
  const shopper = await till.newShopper();
  await till.sell(shopper, { amount: 10, installments: 1 });
  await moveTo('2028-03-07');
  await till.sell(shopper, { amount: 20, installments: 1 });
  await moveTo('2028-03-13');
  const { text, step } = (await reminders(shopper)).at(-1)!;
  assert.equal(step, 0);
  assert.match(text, /: a vencer: .* de 13\/03: R\$ 10,00; .* de 14\/03: R\$ 20,00\. Total R\$ 30,00/);
});
