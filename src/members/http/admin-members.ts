import { Type } from 'typebox';
import {
  alreadyExists,
  findLead,
  findMerchantWithPlan,
  leadClosed,
  leadRoute,
  MERCHANT_NOT_FOUND,
} from '#catalog';
import type { Tx } from '#platform/database/db.ts';
import { listChanges } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import {
  addMember,
  type MembersDeps,
  onboardLead,
  removeMember,
  renderMember,
  resolveOwner,
} from '../members.ts';
import { lastOwner, MEMBER_NOT_FOUND, memberExists } from '../problems.ts';
import {
  LeadMerchant,
  LeadMerchantForm,
  MemberForm,
  MerchantMember,
  MerchantMemberParams,
} from '../schemas.ts';
import { listMembers } from '../store.ts';

export const getAdminMerchantsSlugMembers = ({ db }: MembersDeps) =>
  endpoint('GET /admin/merchants/:slug/members', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMerchantMembers',
    summary: 'List the members of a merchant',
    params: slugParams('padaria-flor-do-trigo'),
    notFound: MERCHANT_NOT_FOUND,
    query: Type.Object({
      ...pageParameters(),
      removed: Type.Enum(['true', 'false'], { default: 'false', description: 'Include removed members.' }),
    }),
    responses: listResponse('A page of members, oldest first.', MerchantMember),
    async handler(request, reply) {
      const merchant = await findMerchantWithPlan(db, request.params.slug);
      if (!merchant) throw request.notFound();
      const filter = { merchantId: merchant.id, includeRemoved: request.query.removed === 'true' };
      return respondWithPages({ request, reply }, (range) => listMembers(db, filter, range), {
        item: MerchantMember,
        render: (rows) => rows.map((row) => renderMember(db.vault, row)),
      });
    },
  });

export const postAdminMerchantsSlugMembers = ({ db, clock }: MembersDeps) =>
  endpoint('POST /admin/merchants/:slug/members', {
    access: { scope: 'operator', role: 'finance' },
    id: 'addMerchantMember',
    summary: 'Add a member to a merchant',
    description:
      'The first member must be an owner, who can add the others. An owner may do everything for the merchant.',
    params: slugParams('padaria-flor-do-trigo'),
    notFound: MERCHANT_NOT_FOUND,
    idempotent: true,
    body: MemberForm,
    cli: { confirm: false, done: 'Added {name} as {role}, id {id}.' },
    responses: { 201: { description: 'The member.', schema: MerchantMember } },
    // Adding an owner requires an approval, because an owner may set the payout account.
    approval: {
      kind: 'merchant_owner',
      async describe({ params: { slug }, body: { name, phone, role } }) {
        const merchant = role === 'owner' ? await findMerchantWithPlan(db, slug) : undefined;
        return (
          merchant && {
            amount: null,
            subject: { kind: 'merchant', id: slug, name: merchant.name },
            change: listChanges({}, { role, name, phone }, { name: 'name', phone: 'phone' }),
          }
        );
      },
    },
    problems: [memberExists, lastOwner],
    async handler(request, reply) {
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      const { slug } = request.params;
      const addToMerchant = async (tx: Tx) => {
        const merchant = await findMerchantWithPlan(tx, slug);
        if (!merchant) throw request.notFound();
        return addMember(tx, merchant.id, request.body, auditContext);
      };
      return createOnce(db, { request, reply, now }, addToMerchant, [slug, request.body]);
    },
  });

export const deleteAdminMerchantsSlugMembersId = ({ db, clock, signIn }: MembersDeps) =>
  endpoint('DELETE /admin/merchants/:slug/members/:id', {
    access: { scope: 'operator', role: 'finance' },
    id: 'removeMerchantMember',
    summary: 'Remove a member from a merchant',
    description: 'Their sessions end immediately, on every node.',
    params: MerchantMemberParams,
    notFound: MEMBER_NOT_FOUND,
    responses: { 204: { description: 'The member is removed.' } },
    problems: [lastOwner],
    async handler(request) {
      const { slug, id } = request.params;
      const auditContext = createAuditContext(request, clock.now());
      const removedMember = await db.transaction(async (tx) => {
        const merchant = await findMerchantWithPlan(tx, slug);
        return merchant && removeMember(tx, signIn, { merchantId: merchant.id, id }, auditContext);
      });
      if (!removedMember) throw request.notFound();
    },
  });

export const postAdminLeadsIdMerchant = ({ db, clock, getMaxRate }: MembersDeps) =>
  endpoint('POST /admin/leads/:id/merchant', {
    access: { scope: 'operator', role: 'finance' },
    id: 'makeMerchantOfLead',
    summary: 'Create a merchant from a lead',
    description:
      'Creates the merchant and its owner, who logs in with the phone of the lead, and marks the lead as handled. Name, slug and owner ' +
      'default to those of the lead. A repeated request gets 409 `lead_closed`.',
    ...leadRoute,
    body: LeadMerchantForm,
    cli: {
      confirm: false,
      done: 'Created merchant {merchant.slug} with the owner {owner.name}, id {owner.id}.',
    },
    responses: { 201: { description: 'The merchant and its owner.', schema: LeadMerchant } },
    // Requires an approval, because an owner may set the payout account.
    approval: {
      kind: 'merchant_owner',
      async describe({ params: { id }, body }) {
        const lead = await findLead(db, id);
        if (lead?.status !== 'new') return undefined;
        const { name, phone } = resolveOwner(lead, body.owner);
        const masks = { 'owner.name': 'name', 'owner.phone': 'phone' } as const;
        return {
          amount: null,
          subject: { kind: 'lead', id, name: lead.name, isPerson: true },
          change: listChanges({}, { ...body, owner: { name, phone } }, masks),
        };
      },
    },
    problems: [leadClosed, alreadyExists],
    handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      return db.transaction((tx) =>
        onboardLead(tx, request.params.id, request.body, { auditContext, getMaxRate }),
      );
    },
  });
