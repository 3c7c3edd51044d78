import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { openService, waitForLockWaits } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { readPdfText } from '../../../test/support/pdf.ts';
import { newStaffUser } from '../../../test/support/staff.ts';

const service = await openService();
const pixDriver = createPixDriver(service);

/** Downloads bytes, because the harness reads responses as text. */
async function download(path: string, token: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${service.partnerUrl}${path}`, {
    headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': token, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  assert.match(bytes.toString('latin1'), /\/MarkInfo|\/StructTreeRoot/, 'the PDF is tagged');
  assert.match(bytes.toString('latin1'), /\/Lang \(pt-BR\)/);
  return bytes;
}

/** Downloads the contract as JSON text. */
async function downloadText(path: string, token: string): Promise<string> {
  const { status, text, headers } = await service.get(path, {
    token,
    headers: { accept: 'application/json' },
  });
  assert.equal(status, 200, text);
  assert.match(headers.get('content-type')!, /^application\/json/);
  return text;
}
const hashSha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

async function acceptNewOffer() {
  const customer = await pixDriver.createCustomer();
  const items = [
    { name: 'Armação “Lume” – azul 😀', quantity: 1, amount: 120 },
    { name: 'Lentes', quantity: 2, amount: 80 },
  ];
  const offerInput = {
    phone: customer.phone,
    amount: 200,
    installments: 5,
    description: 'Óculos de grau',
    items,
  };
  const { body: offer } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const token = await pixDriver.createToken(customer);
  const {
    body: checkout,
    status,
    text,
  } = await service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  assert.equal(status, 201, text);
  return { customer, token, checkout };
}

test('the contract is stored with the acceptance, its SHA-256 is in the terms and on the PDF, and neither text nor PDF ever changes', async () => {
  const { token, checkout, customer } = await acceptNewOffer();
  const path = `/wallet/checkouts/${checkout.hash}/contract`;
  const storedContract = await service.db.row<{ content: Buffer; pdf: Buffer | null }>(
    sql`select content, pdf from contracts where checkout_hash = ${checkout.hash}`,
  );
  assert.equal(storedContract!.pdf, null, 'no PDF is rendered for an acceptance');
  const text = await downloadText(path, token);
  assert.equal(checkout.terms.contract_sha256, hashSha256(text));
  const contract = JSON.parse(text);
  assert.equal(text, toCanonicalJson(contract));
  const formattedCpfLength = '123.456.789-09'.length;
  assert.deepEqual(
    [
      contract.checkout_hash,
      contract.customer.cpf.length,
      contract.items[1].amount,
      contract.installments.length,
    ],
    [checkout.hash, formattedCpfLength, 80, 5],
  );
  assert.deepEqual(contract.cost, {
    total: 200,
    components: [
      { kind: 'financed', amount: 200, percent: 100 },
      { kind: 'interest', amount: 0, percent: 0 },
      { kind: 'taxes', amount: 0, percent: 0 },
      { kind: 'fees', amount: 0, percent: 0 },
    ],
  });
  assert.equal(Date.parse(contract.accepted_at), Date.parse(checkout.purchased_at));
  assert.match(contract.accepted_at, /-03:00$/);
  const [firstPdf, ...copies] = await Promise.all([1, 2, 3].map(() => download(path, token)));
  assert.ok(firstPdf);
  for (const copy of copies) assert.deepEqual(copy, firstPdf);
  assert.ok(readPdfText(firstPdf).includes(checkout.terms.contract_sha256));
  await service.db.run(sql`update merchants set name = 'Outro nome' where slug = 'padaria-flor-do-trigo'`);
  const otherNode = await service.startNode({ env: { CREDITOR_NAME: 'Outra Credora Ltda.' } });
  service.clock.advance(40 * DAY_MS);
  const newToken = await pixDriver.createToken(customer);
  assert.deepEqual(await download(path, newToken), firstPdf);
  assert.equal(await downloadText(path, newToken), text);
  const response = await fetch(`${otherNode.partnerUrl}${path}`, {
    headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': newToken },
  });
  assert.deepEqual(
    Buffer.from(await response.arrayBuffer()),
    firstPdf,
    'independent of later changes of merchant and creditor',
  );
  const checkoutResponse = await service.get(`/wallet/checkouts/${checkout.hash}`, { token: newToken });
  assert.equal(checkoutResponse.body.terms.contract_sha256, hashSha256(text));
  await otherNode.stop();
});

test('the draft equals the later contract, is marked as a draft, and exists only for the recipient of a pending offer', async () => {
  const customer = await pixDriver.createCustomer();
  const offerInput = { phone: customer.phone, amount: 90, installments: 3, description: 'Uma mesa' };
  const { body: offer } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const token = await pixDriver.createToken(customer);
  const path = `/wallet/offers/${offer.id}/contract`;
  const text = await downloadText(path, token);
  assert.equal(text, toCanonicalJson(JSON.parse(text)));
  const { checkout_hash, accepted_at, clauses, ...draft } = JSON.parse(text);
  assert.deepEqual([checkout_hash, accepted_at], [null, null]);
  assert.match(clauses.at(-1).text, /^Minuta: nada foi aceito ainda/);
  const pdf = readPdfText(await download(path, token));
  assert.match(pdf, /MINUTA: ainda não foi aceita/);
  assert.ok(pdf.includes('Uma mesa') && pdf.includes(draft.customer.cpf));
  const draftInTwoInstallments = JSON.parse(await downloadText(`${path}?installments=2`, token));
  assert.deepEqual(
    draftInTwoInstallments.installments.map(({ amount }: { amount: number }) => amount),
    [45, 45],
  );
  assert.equal((await service.get(`${path}?installments=4`, { token })).body.code, 'too_many_installments');
  const otherToken = await pixDriver.createToken(await pixDriver.createCustomer());
  assert.equal((await service.get(path, { token: otherToken })).status, 404);

  const { body: checkout } = await service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  const contract = JSON.parse(await downloadText(`/wallet/checkouts/${checkout.hash}/contract`, token));
  assert.deepEqual(
    { ...contract, clauses: contract.clauses.slice(0, -1) },
    {
      ...draft,
      checkout_hash: checkout.hash,
      accepted_at: contract.accepted_at,
      clauses: clauses.slice(0, -1),
    },
  );
  const { status, body } = await service.get(path, { token });
  assert.deepEqual([status, body.code, body.offer_status], [409, 'offer_closed', 'accepted']);
});

test('a contract has the facts at acceptance, even if they changed after the request', async () => {
  const customer = await pixDriver.createCustomer();
  const offerInput = { phone: customer.phone, amount: 100, installments: 2, description: 'Uma mesa' };
  const { body: offer } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const token = await pixDriver.createToken(customer);
  const { pendingResponse } = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from offers where id = ${offer.id} for update`);
    const pendingResponse = service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
    await waitForLockWaits(service, 1);
    await tx.run(sql`set local semana.resetting = on`); // The trigger then allows changes to the agreed columns.
    await tx.run(sql`update offers set description = 'Duas cadeiras' where id = ${offer.id}`);
    return { pendingResponse }; // in an object, so that the transaction does not wait for it
  });
  const { body: checkout, status, text } = await pendingResponse;
  assert.equal(status, 201, text);
  const contract = await downloadText(`/wallet/checkouts/${checkout.hash}/contract`, token);
  assert.equal(checkout.terms.contract_sha256, hashSha256(contract));
  assert.match(contract, /Duas cadeiras/);
  assert.doesNotMatch(contract, /Uma mesa/);
});

test('an acceptance that is aborted after writing its contract leaves no contract, and repeating it creates exactly one', async () => {
  const customer = await pixDriver.createCustomer();
  const offerInput = { phone: customer.phone, amount: 100, installments: 2 };
  const { body: offer } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const token = await pixDriver.createToken(customer);
  const headers = { 'idempotency-key': offer.id };
  const accept = () => service.post(`/wallet/offers/${offer.id}/accept`, {}, { token, headers });
  const countContracts = async () =>
    (await service.db.row<{ count: number }>(
      sql`select count(*) from contracts where customer_id = ${customer.id}`,
    ))!.count;
  await service.db.transaction(async (tx) => {
    await tx.run(sql`lock table ledger_postings in share row exclusive mode`);
    const pendingResponse = accept();
    await waitForLockWaits(service, 1);
    await tx.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    assert.equal((await pendingResponse).status, 503);
  });
  assert.equal(await countContracts(), 0);
  const { status, body: checkout, text } = await accept();
  assert.equal(status, 201, text);
  assert.equal((await accept()).body.hash, checkout.hash);
  assert.equal(await countContracts(), 1);
  const contract = await downloadText(`/wallet/checkouts/${checkout.hash}/contract`, token);
  assert.equal(checkout.terms.contract_sha256, hashSha256(contract));
});

test('a purchase that the operator recorded gets its contract on the first request, once', async () => {
  const customer = await pixDriver.createCustomer();
  const { hash, terms } = await pixDriver.sell(customer, { amount: 90, installments: 3 });
  assert.equal(terms.contract_sha256, null);
  const token = await pixDriver.createToken(customer);
  const path = `/wallet/checkouts/${hash}/contract`;
  const pdfs = await Promise.all([1, 2, 3].map(() => download(path, token)));
  assert.equal(new Set(pdfs.map(hashSha256)).size, 1);
  const { body } = await service.get(`/wallet/checkouts/${hash}`, { token });
  const text = await downloadText(path, token);
  assert.equal(body.terms.contract_sha256, hashSha256(text));
  assert.match(text, /Compra registrada pelo credor/);
});

test('a contract that an earlier release stored as a PDF keeps its bytes, also for callers that prefer JSON', async () => {
  const { token, checkout } = await acceptNewOffer();
  const path = `/wallet/checkouts/${checkout.hash}/contract`;
  const pdf = await download(path, token);
  await service.db.run(sql`update contracts set content = null where checkout_hash = ${checkout.hash}`);
  assert.deepEqual(await download(path, token), pdf);
  assert.deepEqual(await download(path, token, { accept: 'application/json' }), pdf);
});

test('support can download any contract, with the same bytes as the customer and an audit trail entry; a viewer cannot', async () => {
  const { token, checkout, customer } = await acceptNewOffer();
  const downloadAs = async (role: Role, hash: string, accept = 'application/pdf') => {
    const staffUser = await newStaffUser(service, 'Vera', role);
    const response = await fetch(`${service.staffUrl}/admin/checkouts/${hash}/contract`, {
      headers: { 'x-api-key': staffUser.key, accept },
    });
    return { staffUserId: staffUser.id, response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const { staffUserId, response, bytes } = await downloadAs('support', checkout.hash);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf']);
  assert.deepEqual(bytes, await download(`/wallet/checkouts/${checkout.hash}/contract`, token));
  const { body: trail } = await pixDriver.callStaff('GET', `/admin/audit-trail?subject=view:${customer.id}`);
  assert.deepEqual(
    trail.data.map(({ actor, action }: { actor: string; action: string }) => [actor, action]),
    [[staffUserId, 'getContractOfAnybody']],
  );
  const jsonDownload = await downloadAs('support', checkout.hash, 'application/json');
  assert.equal(
    hashSha256(jsonDownload.bytes),
    (await pixDriver.getCheckout(checkout.hash)).terms.contract_sha256,
  );

  const refusal = await downloadAs('viewer', checkout.hash);
  assert.deepEqual([refusal.response.status, JSON.parse(String(refusal.bytes)).code], [403, 'role_missing']);
  const unknownHash = '0'.repeat(22);
  assert.equal((await downloadAs('support', unknownHash)).response.status, 404);
  const { hash } = await pixDriver.sell(customer, { amount: 90 });
  const missingContract = await downloadAs('support', hash);
  assert.deepEqual(
    [missingContract.response.status, JSON.parse(String(missingContract.bytes)).code],
    [404, 'not_found'],
  );
  assert.equal(
    (await pixDriver.getCheckout(hash)).terms.contract_sha256,
    null,
    'a download by staff creates no contract',
  );
});

test('a receipt is available once the money arrived, and a statement per year; other customers get 404', async () => {
  const { customer, token, checkout } = await acceptNewOffer();
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  const receiptPath = `/wallet/pix/${charge.id}/receipt`;
  assert.equal((await service.get(receiptPath, { token })).status, 404);
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const pdf = await download(receiptPath, token);
  assert.deepEqual(pdf, await download(receiptPath, token));
  // Each id is in one line, so that readers can find and copy it.
  for (const id of [end_to_end_id, charge.txid])
    assert.ok(
      readPdfText(pdf)
        .split('\n')
        .some((line) => line.includes(id)),
      id,
    );
  const year = service.clock.now().getUTCFullYear();
  await download(`/wallet/statements/${year}`, token);
  for (const invalidYear of [year + 1, 1999, 2019, 'abcd'])
    assert.equal((await service.get(`/wallet/statements/${invalidYear}`, { token })).status, 404);
  const otherToken = await pixDriver.createToken(await pixDriver.createCustomer());
  for (const path of [receiptPath, `/wallet/checkouts/${checkout.hash}/contract`])
    assert.equal((await service.get(path, { token: otherToken })).status, 404);
});
