import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandRunner } from '../../test/commands.ts';
import { shareService } from '../../test/harness.ts';
import { logInMember } from '../../test/members.ts';
import { newPhone, OPERATOR_KEY } from '../../test/support/customers.ts';

const service = await shareService();
const run = createCommandRunner(service);
const callStaffApi = (method: string, path: string, body?: object) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body && { body }) });

let leadCount = 0;
async function newLead(overrides: object = {}) {
  leadCount++;
  const phone = newPhone();
  const leadInput = {
    kind: 'partner',
    name: 'Joana Prado',
    phone,
    company: `Empório Ação ${leadCount}`,
    ...overrides,
  };
  const sendResponse = await service.post('/public/leads', leadInput);
  assert.equal(sendResponse.status, 201, sendResponse.text);
  return { phone, id: sendResponse.body.id as string, path: `/admin/leads/${sendResponse.body.id}` };
}
const MERCHANT_FIELDS = { category: 'padarias', city: 'Recife', state: 'PE' };

test('a lead becomes a merchant with an owner who can log in, and the lead is marked as handled', async () => {
  const lead = await newLead();
  const createResponse = await callStaffApi('POST', `${lead.path}/merchant`, MERCHANT_FIELDS);
  assert.equal(createResponse.status, 201, createResponse.text);
  const { merchant, owner } = createResponse.body;
  assert.deepEqual(
    [merchant.slug, merchant.name, merchant.city],
    ['emporio-acao-1', 'Empório Ação 1', 'Recife'],
  );
  assert.deepEqual([owner.name, owner.phone, owner.role], ['Joana Prado', lead.phone, 'owner']);
  assert.equal((await callStaffApi('GET', lead.path)).body.status, 'handled');
  assert.equal((await logInMember(service, lead.phone)).merchant.slug, merchant.slug);
  for (const subject of [`merchant:${merchant.slug}`, `member:${owner.id}`, `lead:${lead.id}`]) {
    const { body } = await callStaffApi('GET', `/admin/audit-trail?subject=${subject}`);
    assert.equal(body.data[0].action, 'makeMerchantOfLead', subject);
  }
});

test('409 lead_closed: of ten concurrent requests one creates the merchant; a lead of another kind is refused', async () => {
  const lead = await newLead();
  const REQUEST_COUNT = 10;
  const responses = await Promise.all(
    Array.from({ length: REQUEST_COUNT }, () =>
      callStaffApi('POST', `${lead.path}/merchant`, MERCHANT_FIELDS),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [
    201,
    ...Array(REQUEST_COUNT - 1).fill(409),
  ]);
  assert.ok(responses.every(({ status, body }) => status === 201 || body.code === 'lead_closed'));
  const contact = await newLead({ kind: 'contact' });
  assert.equal(
    (await callStaffApi('POST', `${contact.path}/merchant`, MERCHANT_FIELDS)).body.code,
    'lead_closed',
  );
});

test('a refused request creates no merchant, and the lead stays new', async () => {
  const lead = await newLead({ phone: undefined, email: 'joana@example.com' });
  const refusedResponse = await callStaffApi('POST', `${lead.path}/merchant`, {
    ...MERCHANT_FIELDS,
    slug: 'emporio-sem-dono',
  });
  assert.deepEqual([refusedResponse.status, refusedResponse.body.errors[0].pointer], [400, '/owner/phone']);
  assert.equal((await callStaffApi('GET', '/admin/merchants/emporio-sem-dono')).status, 404);
  assert.equal((await callStaffApi('GET', lead.path)).body.status, 'new');
  const takenSlugResponse = await callStaffApi('POST', `${lead.path}/merchant`, {
    ...MERCHANT_FIELDS,
    slug: 'padaria-flor-do-trigo',
  });
  assert.equal(takenSlugResponse.body.code, 'already_exists');
  const owner = { name: 'Rui Sá', phone: newPhone() };
  const createResponse = await callStaffApi('POST', `${lead.path}/merchant`, {
    ...MERCHANT_FIELDS,
    slug: 'emporio-sem-dono',
    owner,
  });
  assert.deepEqual([createResponse.status, createResponse.body.owner.name], [201, 'Rui Sá']);
  const unknownLead = '/admin/leads/lead_00000000000000000000000000/merchant';
  assert.equal((await callStaffApi('POST', unknownLead, MERCHANT_FIELDS)).status, 404);
});

test('with FOUR_EYES_AMOUNT creating a merchant from a lead requires an approval of its owner', async () => {
  const node = await service.startNode({ env: { FOUR_EYES_AMOUNT: '50.00' } });
  const lead = await newLead();
  const body = { ...MERCHANT_FIELDS, owner: { name: 'Eu Mesmo', phone: newPhone() } };
  const heldResponse = await node.staff('POST', `${lead.path}/merchant`, { key: OPERATOR_KEY, body });
  assert.equal(heldResponse.status, 202, heldResponse.text);
  const changes = heldResponse.body.approval.change.map(
    ({ field, after }: { field: string; after: string }) => [field, after],
  );
  assert.deepEqual(
    changes.filter(([field]: string[]) => field!.startsWith('owner')),
    [
      ['owner.name', body.owner.name],
      ['owner.phone', body.owner.phone],
    ],
  );
  assert.equal((await callStaffApi('GET', lead.path)).body.status, 'new');
  await node.stop();
});

test('the command leads merchant creates the merchant and prints it with its owner', async () => {
  const lead = await newLead();
  const output = await run('leads merchant', lead.id, '--category', 'padarias', '--name', 'Loja da Linha');
  assert.match(output, /loja-da-linha.*Joana Prado/);
});
