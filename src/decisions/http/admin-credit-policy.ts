import { listChanges } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ETAG_HEADER, ifMatchHeader } from '#platform/http/etag.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext, preconditionProblems } from '#platform/privacy/audit-trail.ts';
import { listStaffNames } from '#staff';
import type { DecisionsDeps } from '../decisions.ts';
import {
  assertValidPolicies,
  buildPolicyResponse,
  evaluatePolicy,
  readPolicies,
  setPolicy,
} from '../policy.ts';
import { ComparisonForm, ComparisonResponse, PolicyForm, PolicyResponse, PolicyVersion } from '../schemas.ts';
import { policyList } from '../store.ts';

export const getAdminCreditPolicy = ({ db, clock, settings }: DecisionsDeps) =>
  endpoint('GET /admin/credit-policy', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCreditPolicy',
    summary: 'Get the credit policy',
    description: 'The policy in force, and the shadow policy, if any, compared with the actual decisions.',
    approvalOf: { kind: 'credit_policy', id: 'credit' },
    responses: { 200: { description: 'The policy.', schema: PolicyResponse, headers: ETAG_HEADER } },
    async handler(_request, reply) {
      const policies = await readPolicies(db, settings.builtInPolicy);
      const { etag, body } = await buildPolicyResponse(db, policies, clock.now());
      reply.header('etag', etag);
      return body;
    },
  });

export const putAdminCreditPolicy = ({ db, clock, settings: { builtInPolicy } }: DecisionsDeps) =>
  endpoint('PUT /admin/credit-policy', {
    access: { scope: 'operator', role: 'risk' },
    id: 'setCreditPolicy',
    summary: 'Set the credit policy',
    description:
      'Sets the policy in force, the shadow policy, or both. Each gets the next version; earlier versions are retained. Takes effect for ' +
      'later decisions; existing limits do not change. All validation errors are returned together.',
    headers: ifMatchHeader,
    body: PolicyForm,
    cli: {
      confirm: 'This sets the credit policy for later decisions.',
      done: 'Version {version} is in force.',
      examples: ['semana credit-policy update --policy @policy.json --yes'],
    },
    responses: {
      200: { description: 'The policies in force.', schema: PolicyResponse, headers: ETAG_HEADER },
    },
    // Requires an approval regardless of amounts, because a policy affects all limits.
    approval: {
      kind: 'credit_policy',
      async describe({ body: { policy, shadow } }) {
        assertValidPolicies({ policy, shadow });
        const { inForce, shadow: oldShadow } = await readPolicies(db, builtInPolicy);
        const currentPolicies = { policy: inForce.policy, shadow: oldShadow?.policy ?? null };
        return {
          amount: null,
          subject: { kind: 'credit_policy', id: 'credit', name: null },
          change: listChanges(currentPolicies, {
            policy: policy ?? currentPolicies.policy,
            shadow: shadow === undefined ? currentPolicies.shadow : shadow,
          }),
        };
      },
    },
    problems: preconditionProblems,
    async handler(request, reply) {
      const now = clock.now();
      const { policy, shadow, reason } = request.body;
      const auditContext = createAuditContext(request, now, reason);
      const context = { auditContext, ifMatch: request.headers['if-match'], builtInPolicy };
      const policies = await db.transaction((tx) => setPolicy(tx, { policy, shadow }, context));
      const { etag, body } = await buildPolicyResponse(db, policies, now);
      reply.header('etag', etag);
      return body;
    },
  });

export const getAdminCreditPolicyVersions = (deps: DecisionsDeps) =>
  listEndpoint('GET /admin/credit-policy/versions', deps, policyList, {
    id: 'listCreditPolicyVersions',
    summary: 'List credit policy versions',
    description: 'Omits the built-in policy, which is version 1.',
    page: 'A page of versions.',
    item: PolicyVersion,
    async render(rows) {
      const staffNames = await listStaffNames(deps.db, [...new Set(rows.map(({ set_by }) => set_by))]);
      return rows.map(({ set_at, ...row }) => ({
        ...row,
        set_by_name: staffNames.get(row.set_by) ?? row.set_by,
        set_at: set_at.toISOString(),
      }));
    },
  });

export const postAdminCreditPolicyTry = ({ db, clock }: DecisionsDeps) =>
  endpoint('POST /admin/credit-policy/try', {
    access: { scope: 'operator', role: 'risk' },
    id: 'tryCreditPolicy',
    summary: 'Evaluate a credit policy',
    description:
      'Compares the policy with the last 10,000 decisions, and sums the purchases that it would have refused. Does not change anything.',
    body: ComparisonForm,
    responses: { 200: { description: 'The comparison.', schema: ComparisonResponse } },
    async handler(request) {
      const { policy } = request.body;
      assertValidPolicies({ policy });
      return evaluatePolicy(db, policy, clock.now());
    },
  });
