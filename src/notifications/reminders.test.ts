import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, day } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { eventually, openService } from '../../test/harness.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import type { TestCustomer } from '../../test/purchase-driver.ts';
import { encryptContent, insertMessage } from '../messages/store.ts';
import { toSubjectKey } from './reminders.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
/** The first name that the drivers give new customers. */
const CUSTOMER_FIRST_NAME = 'Davi';

type InboxMessage = {
  template: string;
  /** Days from the due day: -1 is the day before. Null if the message is no reminder. */
  step: number | null;
  channel: string;
  text: string;
  code: string;
  link: string;
};

/** Reads the messages of the sandbox inbox, oldest first. */
const readMessages = async ({ phone }: Pick<TestCustomer, 'phone'>): Promise<InboxMessage[]> => {
  const path = `/sandbox/messages?limit=100&phone=${encodeURIComponent(phone)}`;
  return ((await pixDriver.callStaff('GET', path)).body.data as InboxMessage[]).toReversed();
};
/** Moves the clock, by default to ten in the morning in São Paulo, and waits for the jobs that this triggers. */
async function moveClockTo(date: string, time = '13:00:00Z'): Promise<void> {
  service.clock.set(`${date}T${time}`);
  // With `isAgain` the job runs even if it has already run on this day.
  await service.db.run(sql`
    select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
  await waitForJobs();
}
/** Waits until all jobs that the clock has triggered have ended. */
const waitForJobs = () =>
  eventually('no notification jobs are running', async () => {
    const row = await service.db.row<{ unfinished_count: number }>(sql`
      select count(*) as unfinished_count from graphile_worker.jobs
      where task_identifier in ('notices_of_the_day', 'send_messages') and run_at <= now()`);
    return row!.unfinished_count === 0;
  });
const readReminders = async (customer: TestCustomer) =>
  (await readMessages(customer)).filter(({ template }) => template === 'reminder');

test('over seven weeks a customer is reminded on the due day with a valid Pix code, when late on days 1 and 3, and never about paid installments', async () => {
  // A Monday: the weekly installments are due on Mondays.
  await moveClockTo('2027-03-01');
  const customer = await pixDriver.createCustomer();
  const { hash } = await pixDriver.sell(customer, { amount: 70, installments: 7 });
  const expectedSteps: number[] = [];
  for (let week = 1; week <= 7; week++) {
    const monday = addDays(day('2027-03-01'), 7 * week);
    const sunday = addDays(monday, -1);
    await moveClockTo(sunday);
    assert.equal(
      (await readReminders(customer)).length,
      expectedSteps.length,
      'there are no reminders on Sundays',
    );
    await moveClockTo(monday, '10:30:00Z');
    assert.equal(
      (await readReminders(customer)).length,
      expectedSteps.length,
      'there are no reminders before eight in São Paulo',
    );
    await moveClockTo(monday);
    expectedSteps.push(0);
    const reminders = await readReminders(customer);
    assert.equal(reminders.length, expectedSteps.length);
    const { text, code, link, channel } = reminders.at(-1)!;
    assert.equal(channel, 'whatsapp');
    assert.match(text, new RegExp(`vence hoje: .* ${week}/7 .*R\\$ 10,00`));
    assert.ok(text.includes(code) && text.includes(link));
    assert.ok(link.endsWith(`/carteira/compras/${hash}/${week}`));
    if (week === 3) {
      for (const daysLate of [1, 2, 3]) {
        await moveClockTo(addDays(monday, daysLate));
        if (daysLate !== 2) expectedSteps.push(daysLate);
        assert.deepEqual(
          (await readReminders(customer)).map((reminder) => reminder.step),
          expectedSteps,
        );
      }
      assert.match(
        (await readReminders(customer)).at(-1)!.text,
        /em atraso: .*Credor: .*CNPJ [\d./-]+, .+\.$/s,
      );
    }
    const installment = await pixDriver.getInstallment(hash, week);
    const charge = await pixDriver.createCharge(customer, installment.id, 'settle_with_penalty');
    const lastReminder = (await readReminders(customer)).at(-1)!;
    assert.equal(charge.br_code, lastReminder.code, 'the charge has the Pix code of the reminder');
    await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    await waitForJobs();
    assert.equal((await readMessages(customer)).at(-1)!.template, 'payment_received');
    await moveClockTo(addDays(monday, 4));
    assert.equal(
      (await readReminders(customer)).length,
      expectedSteps.length,
      'a paid installment gets no reminder',
    );
  }
});

test('a customer gets one reminder per day for all due installments, even if the clock is set back and forth', async () => {
  await moveClockTo('2027-06-02');
  const customer = await pixDriver.createCustomer();
  const purchases = [
    await pixDriver.sell(customer, { amount: 60, installments: 1 }),
    await pixDriver.sell(customer, { amount: 40, installments: 1 }),
  ];
  // Both are due on 9 June.
  for (const date of ['2027-06-08', '2027-06-05', '2027-06-08', '2027-06-09', '2027-06-08'])
    await moveClockTo(date);
  const reminders = await readReminders(customer);
  assert.deepEqual(
    reminders.map(({ step }) => step),
    [-1, 0],
  );
  for (const { text } of reminders) assert.match(text, /R\$ [46]0,00; .*R\$ [46]0,00\. Total R\$ 100,00/);
  const rows = await service.db.rows(sql`
    select from message_subjects where template = 'reminder' and customer_id = ${customer.id}`);
  assert.equal(rows.length, 4, 'one row per installment and step');
  for (const { hash } of purchases) {
    const { body } = await pixDriver.callStaff('GET', `/admin/messages?checkout=${hash}&template=reminder`);
    assert.equal(body.pagination.total, 2, 'each reminder is about both purchases');
  }
});

test('a reminder is not sent if the installment is paid after the reminder was queued', async () => {
  await moveClockTo('2027-07-07');
  const customer = await pixDriver.createCustomer();
  const { installments } = await pixDriver.sell(customer, { amount: 50, installments: 1 });
  service.clock.set('2027-07-14T13:00:00Z');
  const now = service.clock.now();
  const dueDay = day('2027-07-14');
  const [installment] = installments;
  const id = newId('msg', now);
  const message = {
    customerId: customer.id,
    id,
    template: 'reminder',
    step: 0,
    day: dueDay,
    content: encryptContent(service.db.vault, id, { parts: { step: 0, items: [] } }),
    subjects: [{ key: toSubjectKey(installment), step: 0 }],
    checkouts: [],
    writtenAt: new Date(now.getTime() - HOUR_MS),
  } as const;
  await service.db.transaction(async (tx) => tx.queueWrite(insertMessage(message)));
  const charge = await pixDriver.createCharge(customer, installment.id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.runJob('messages_sweep');
  await eventually('the message is withdrawn', async () =>
    service.db.row(sql`
      select from messages where customer_id = ${customer.id} and id = ${id} and status = 'withdrawn'`),
  );
  assert.deepEqual(await readReminders(customer), []);
});

test('moving the clock of the sandbox by some days sends the reminder', async () => {
  service.clock.set('2027-09-08T13:00:00Z');
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 50, installments: 1 });
  const moveResponse = await pixDriver.callStaff('POST', '/sandbox/clock', { advance: 'P6D' });
  assert.equal(moveResponse.status, 200, moveResponse.text);
  await eventually('the reminder arrives', async () => (await readReminders(customer)).length === 1);
  assert.equal((await readReminders(customer))[0]!.step, -1);
  await pixDriver.callStaff('DELETE', '/sandbox/clock');
});

test('a customer who switched off reminders before the due day gets only those on and after it', async () => {
  await moveClockTo('2027-08-03');
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 50, installments: 1 });
  await service.db.run(sql`
    insert into message_preferences (customer_id, channels, reminders_before_due, news, updated_at)
    values (${customer.id}, '{email,sms}', false, false, now())`);
  for (const date of ['2027-08-09', '2027-08-10', '2027-08-11']) await moveClockTo(date);
  const reminders = await readReminders(customer);
  assert.deepEqual(
    reminders.map(({ step, channel }) => [step, channel]),
    [
      [0, 'email'],
      [1, 'email'],
    ],
  );
});

async function payInstallment({
  customer,
  installmentId,
}: {
  customer: TestCustomer;
  installmentId: string;
}) {
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle_with_penalty');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await waitForJobs();
}

test('the report counts the installments that are paid within a day of a reminder', async () => {
  await moveClockTo('2027-10-04');
  const sellToNewCustomer = async () => {
    const customer = await pixDriver.createCustomer();
    const { installments } = await pixDriver.sell(customer, { amount: 50, installments: 1 });
    return { customer, installmentId: installments[0].id as string };
  };
  const firstSale = await sellToNewCustomer();
  const secondSale = await sellToNewCustomer();
  const thirdSale = await sellToNewCustomer();
  await moveClockTo('2027-10-11');
  await payInstallment(firstSale);
  await moveClockTo('2027-10-12', '12:00:00Z'); // a holiday; within 24 hours
  await payInstallment(secondSale);
  await moveClockTo('2027-10-13'); // overdue by now, with a second reminder
  await payInstallment(thirdSale);
  const { body } = await pixDriver.callStaff('GET', '/admin/reports/reminders');
  assert.deepEqual(body, {
    on: '2027-10-13',
    from: '2027-10-07',
    data: [
      { step: 0, reminded: 3, paid_within_a_day: 2, percent: 66.7 },
      { step: 1, reminded: 1, paid_within_a_day: 1, percent: 100 },
    ],
    total: { reminded: 4, paid_within_a_day: 3, percent: 75 },
  });
  const { body: messages } = await pixDriver.callStaff('GET', '/admin/reports/messages');
  assert.ok(
    messages.data.some(
      (row: { channel: string; status: string; messages: number }) =>
        // The four reminders above and the confirmations of three payments.
        row.channel === 'whatsapp' && row.status === 'sent' && row.messages >= 4 + 3,
    ),
  );
});

test('a reminder can be resent while the installment is unpaid; after payment the new message is withdrawn', async () => {
  await moveClockTo('2027-11-08');
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 50, installments: 1 });
  await moveClockTo('2027-11-16'); // the 15th is a holiday
  const listMessages = async () =>
    (await pixDriver.callStaff('GET', `/admin/messages?checkout=${hash}&template=reminder`)).body.data;
  const [originalMessage] = await listMessages();
  assert.deepEqual(
    [originalMessage.status, originalMessage.step, originalMessage.channel],
    ['sent', 0, 'whatsapp'],
  );
  service.clock.advance(1_000);
  const firstResendResponse = await pixDriver.callStaff(
    'POST',
    `/admin/messages/${originalMessage.id}/resend`,
  );
  assert.deepEqual(
    [firstResendResponse.status, firstResendResponse.body.status],
    [201, 'queued'],
    firstResendResponse.text,
  );
  await waitForJobs();
  const texts = (await readReminders(customer)).map(({ text }) => text);
  assert.equal(texts.length, 2);
  assert.equal(texts[0], texts[1]);
  await payInstallment({ customer, installmentId: installments[0].id });
  service.clock.advance(1_000);
  const secondResendResponse = await pixDriver.callStaff(
    'POST',
    `/admin/messages/${firstResendResponse.body.id}/resend`,
  );
  assert.equal(secondResendResponse.status, 201, secondResendResponse.text);
  await waitForJobs();
  assert.deepEqual(
    (await listMessages()).map(({ status }: { status: string }) => status),
    ['withdrawn', 'sent', 'sent'],
  );
  assert.equal((await readReminders(customer)).length, 2);
  const trailResponse = await pixDriver.callStaff(
    'GET',
    `/admin/audit-trail?subject=message:${firstResendResponse.body.id}`,
  );
  const { again: originalId } = trailResponse.body.data[0].after;
  assert.equal(originalId, originalMessage.id);
});

test('the calendar feed has the unpaid installments, no personal data and no alarms; a new secret URL replaces the old one', async () => {
  await moveClockTo('2027-12-01');
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 30, installments: 3 });
  const token = await pixDriver.createToken(customer);
  const { body: calendar } = await service.get('/wallet/calendar', { token });
  assert.deepEqual(
    [calendar.feed, calendar.data.map((item: { due_on: string }) => item.due_on)],
    [null, ['2027-12-08', '2027-12-15', '2027-12-22']],
  );
  const createResponse = await service.post('/wallet/calendar/feed', undefined, { token });
  assert.equal(createResponse.status, 201, createResponse.text);
  const firstResponse = await fetch(createResponse.body.url);
  const text = await firstResponse.text();
  assert.deepEqual(
    [firstResponse.status, firstResponse.headers.get('content-type')],
    [200, 'text/calendar; charset=utf-8'],
  );
  assert.deepEqual(text.match(/DTSTART;VALUE=DATE:\d+/g), [
    'DTSTART;VALUE=DATE:20271208',
    'DTSTART;VALUE=DATE:20271215',
    'DTSTART;VALUE=DATE:20271222',
  ]);
  assert.equal(text.match(/SUMMARY:R\$ 10\\,00 · .* \d\/3/g)?.length, 3);
  for (const excludedText of [customer.phone, CUSTOMER_FIRST_NAME, 'VALARM'])
    assert.ok(!text.includes(excludedText), excludedText);
  const readUids = (calendarText: string) => calendarText.match(/UID:\S+/g);
  assert.deepEqual(
    readUids(await (await fetch(createResponse.body.url)).text()),
    readUids(text),
    'the uids are stable',
  );
  assert.ok((await service.get('/wallet/calendar', { token })).body.feed.created_at);
  const replaceResponse = await service.post('/wallet/calendar/feed', undefined, { token });
  assert.equal((await fetch(createResponse.body.url)).status, 404);
  assert.equal((await fetch(replaceResponse.body.url)).status, 200);
  await service.call('DELETE', '/wallet/calendar/feed', { token });
  assert.equal((await fetch(replaceResponse.body.url)).status, 404);
  const unknownUrl = createResponse.body.url.replace(/calendar\/.*/, `calendar/${'x'.repeat(32)}.ics`);
  const statuses: number[] = [];
  // At most 30 requests with an unknown secret per minute get a 404.
  for (let i = 0; i < 32; i++) statuses.push((await fetch(unknownUrl)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429]);
});

test('customers are notified once about expiring cashback, a week before or on the next allowed day', async () => {
  await moveClockTo('2027-06-01');
  const customer = await pixDriver.createCustomer();
  const adjustResponse = await pixDriver.callStaff('POST', `/admin/cashback/${customer.id}/adjust`, {
    amount: 12.34,
    reason: 'Cortesia',
  });
  const [{ expires_on }] = adjustResponse.body.expiring;
  assert.equal(expires_on, '2027-11-28'); // Seven days before is a Sunday.
  const readNotifications = async () =>
    (await readMessages(customer)).flatMap(({ template, text }) =>
      template === 'cashback_expiring' ? [text] : [],
    );
  for (const date of ['2027-11-20', '2027-11-21']) {
    await moveClockTo(date);
    assert.deepEqual(await readNotifications(), [], date);
  }
  for (const date of ['2027-11-22', '2027-11-23']) {
    await moveClockTo(date);
    const texts = await readNotifications();
    assert.equal(texts.length, 1, date);
    assert.match(texts[0]!, /R\$ 12,34 de cashback valem só até 28\/11/);
  }
});

test('a reminder about different due days does not say that everything is due today', async () => {
  await moveClockTo('2028-03-06'); // a Monday
  const customer = await pixDriver.createCustomer();
  await pixDriver.sell(customer, { amount: 10, installments: 1 });
  await moveClockTo('2028-03-07');
  await pixDriver.sell(customer, { amount: 20, installments: 1 });
  await moveClockTo('2028-03-13');
  const { text, step } = (await readReminders(customer)).at(-1)!;
  assert.equal(step, 0);
  assert.match(text, /: a vencer: .* de 13\/03: R\$ 10,00; .* de 14\/03: R\$ 20,00\. Total R\$ 30,00/);
});
