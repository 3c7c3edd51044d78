import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type Cents, toReais } from '#core/values/money.ts';
import type { Tx } from '../database/db.ts';
import { defineProblem, type ProblemFactory } from '../problem.ts';
import type { RequiredRole } from './access.ts';
import type { Mask } from './masking.ts';
import { Id, NullableObject, Reais, TextOrNull, Timestamp } from './schemas.ts';

export const APPROVAL_STATUSES = ['waiting', 'approved', 'refused', 'failed', 'expired'] as const;

export type ApprovalSubject = {
  /** The kind of resource, as in the audit trail. */
  readonly kind: string;
  readonly id: string;
  /** Null if the resource has no name. */
  readonly name: string | null;
  readonly isPerson?: true;
};

/** A field that the action changes, with its values in the API. With `mask` the values are personal data. */
export type ApprovalChange = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly mask?: Mask;
};

/** All effects of an action. An action is approved as described: if its description has changed when it is approved, it is not executed. */
export type ActionDescription = {
  /** The signed amount of the action. Null requires an approval in any case. */
  readonly amount: Cents | null;
  readonly subject: ApprovalSubject;
  readonly change: readonly ApprovalChange[];
  /** Replaces the body of the stored request, if the body depends on the time of the request. */
  readonly body?: object;
};

/** Declares that an endpoint's action requires a second person's approval above a threshold. */
export type ApprovalRule<R> = {
  readonly kind: string;
  /** The body fields that belong to the action. The default is all fields. */
  readonly fields?: readonly string[];
  /** The role that may approve. The default is the role that the endpoint requires. */
  readonly role?: RequiredRole;
  /** Returns undefined if the request requires no approval. Throws if the action is not possible. */
  describe(request: R): Promise<ActionDescription | undefined>;
};

/** The resource of a response, on which actions may be pending. `idField` is the field of the response with its id. */
export type ApprovalTarget = { readonly kind: string } & (
  | { readonly idField: string }
  | { readonly id: string }
);

/** Records the action of a request. It is set before the handler of an endpoint with an approval rule is called. */
export type ActionRecorder = {
  /** The person who approved the action; null if the action required no approval. */
  readonly approvedBy: string | null;
  /** The description that was approved; null if the action required no approval. */
  readonly description: ActionDescription | null;
  /** Called in the transaction that performs the action, when its audit trail entry is inserted. Throws if the action was already performed. */
  record(tx: Tx): Promise<void>;
};

declare module 'fastify' {
  interface FastifyRequest {
    actionRecorder?: ActionRecorder;
  }
}

export const approvalMixed = defineProblem({
  code: 'approval_mixed',
  status: 422,
  title: {
    en: 'The request changes too much for one approval',
    pt: 'O pedido muda coisas demais de uma vez',
  },
  cause:
    'The body changes fields that need the approval of a second person together with fields that do not.',
  remedy: 'Send the fields that need an approval in a request of their own.',
  detail: (fields: readonly string[]) => ({
    en: `Send ${fields.join(', ')} in another request.`,
    pt: `Envie em outro pedido: ${fields.join(', ')}.`,
    members: { fields },
  }),
});

export const approvalPending = defineProblem({
  code: 'approval_pending',
  status: 409,
  title: { en: 'An approval is pending', pt: 'Há uma aprovação em espera' },
  cause: 'An action on the same resource is waiting for the approval of a second person.',
  remedy: 'Approve or refuse it first. `approval` is its id.',
  detail: (approvalId: string) => ({
    en: `The approval ${approvalId} of another action on this resource is pending.`,
    pt: `A aprovação ${approvalId}, sobre o mesmo assunto, ainda espera.`,
    members: { approval: approvalId },
  }),
});

export const approvalStale = defineProblem({
  code: 'approval_stale',
  status: 409,
  title: { en: 'The facts have changed', pt: 'Os fatos mudaram' },
  cause: 'The action would no longer do what was requested and shown for approval.',
  remedy: 'Request the action again, with the current figures.',
  detail: {
    en: 'The action would no longer do what was shown. It was not performed.',
    pt: 'O efeito já não seria o que foi mostrado. Nada foi feito.',
  },
});

export const approvalRequired = defineProblem({
  code: 'approval_required',
  status: 409,
  title: { en: 'The action now requires an approval', pt: 'Agora é preciso aprovação' },
  cause:
    'Concurrent actions of the same staff user exceed together the amount that requires a second person.',
  remedy: 'Send the request again. It then waits for approval.',
  detail: {
    en: 'Your other actions of today changed meanwhile. Send the request again.',
    pt: 'Seus outros atos de hoje mudaram nesse meio-tempo. Envie de novo.',
  },
});

export const approvalProblems: ProblemFactory[] = [
  approvalMixed,
  approvalPending,
  approvalStale,
  approvalRequired,
];

const isEqualJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Throws if the action differs from the approved action. Handlers call it in a transaction that keeps the described facts from changing. */
export function assertAsApproved(
  { actionRecorder }: { actionRecorder?: ActionRecorder },
  action: ActionDescription | undefined,
): void {
  const approvedAction = actionRecorder?.description;
  if (!approvedAction) return;
  const { amount, subject, change } = approvedAction;
  if (
    !action ||
    action.amount !== amount ||
    action.subject.id !== subject.id ||
    !isEqualJson(action.change, change)
  )
    throw approvalStale();
}

/** Lists the fields in which two objects differ. A field of a nested object is named `policy.age`. `masks` has the fields with personal data. */
export function listChanges(
  before: object,
  after: object,
  masks: Readonly<Record<string, Mask>> = {},
): ApprovalChange[] {
  const [fieldsBefore, fieldsAfter] = [flatten(before), flatten(after)];
  return [...new Set([...fieldsBefore.keys(), ...fieldsAfter.keys()])]
    .filter((field) => !isEqualJson(fieldsBefore.get(field) ?? null, fieldsAfter.get(field) ?? null))
    .map((field) => ({
      field,
      before: fieldsBefore.get(field) ?? null,
      after: fieldsAfter.get(field) ?? null,
      ...(masks[field] && { mask: masks[field] }),
    }));
}

function flatten(value: object, prefix = ''): Map<string, unknown> {
  const flatEntries = Object.entries(value).flatMap(([name, field]): Array<[string, unknown]> => {
    const isNestedObject = typeof field === 'object' && field !== null && !Array.isArray(field);
    return isNestedObject ? [...flatten(field, `${prefix}${name}.`)] : [[`${prefix}${name}`, field]];
  });
  return new Map(flatEntries);
}

export const buildAmountChange = (
  field: string,
  before: Cents | null,
  after: Cents | null,
): ApprovalChange => ({
  field,
  before: before === null ? null : toReais(before),
  after: after === null ? null : toReais(after),
});

const PERSON = { id: Type.String(), name: Type.String() };

export const APPROVAL_EXAMPLE = {
  id: 'apr_01kfx3v9e2r4s6t8w0y2a4c6e8',
  kind: 'write_off',
  amount: 1250.5,
  subject: { kind: 'checkout', id: '7Hq2mX9bKtR4vLc1PzW8sD', name: 'Ana Souza' },
  change: [{ field: 'written_off', before: 0, after: 1250.5 }],
  reason: 'Acordo com a cliente',
  status: 'waiting',
  asked_by: { id: 'stf_01kfx3c8gq5v0m7d2h9ynwztb4', name: 'Marina Duarte' },
  asked_at: '2026-11-15T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00.000Z',
  decided_by: null,
  decided_at: null,
  outcome: null,
};

export const Approval = Type.Object(
  {
    id: Id('apr'),
    kind: Type.String({ description: 'Kind of the action.', examples: ['write_off'] }),
    amount: Type.Union([Reais('The amount at stake'), Type.Null()], {
      description: 'In reais, negative if the action takes money; null if the action has no amount.',
    }),
    subject: Type.Object({
      kind: Type.String({ description: 'As in the audit trail.', examples: ['checkout'] }),
      id: Type.String({ description: 'The affected resource: an id, a hash or a slug.' }),
      name: TextOrNull({
        description: 'Name of the resource. The name of a person is masked for some roles.',
      }),
    }),
    change: Type.Array(
      Type.Object({
        field: Type.String({ examples: ['credit_limit'] }),
        before: Type.Unknown({ description: 'Value before the action.' }),
        after: Type.Unknown({ description: 'Value after the action.' }),
      }),
      { description: 'Everything that the action changes. Personal data is masked for some roles.' },
    ),
    reason: TextOrNull({ description: 'Why the action was requested.' }),
    status: Type.Enum([...APPROVAL_STATUSES], {
      description: '`failed`: it was approved, but could no longer be carried out.',
    }),
    asked_by: Type.Object(PERSON),
    asked_at: Timestamp(),
    expires_at: Timestamp({ description: 'An undecided approval expires at this time.' }),
    decided_by: NullableObject(PERSON),
    decided_at: Type.Union([Timestamp(), Type.Null()]),
    outcome: TextOrNull({ description: 'Why the approval was refused, or why the action failed.' }),
  },
  { $id: 'Approval', examples: [APPROVAL_EXAMPLE] },
);

export type ApprovalView = Static<typeof Approval>;

type ResourceSchema = TSchema & { $id?: string; properties?: TProperties; examples?: readonly object[] };

const schemasWithApproval = new WeakMap<TSchema, TSchema>();

/** Extends the schema of a resource with its pending approval, if there is one. */
export function withPendingApproval(schema: TSchema): TSchema {
  const cachedSchema = schemasWithApproval.get(schema);
  if (cachedSchema) return cachedSchema;
  const { $id, properties, examples } = schema as ResourceSchema;
  const schemaWithApproval = Type.Object(
    { ...properties, approval: Type.Optional(Approval) },
    { ...($id && { $id: `${$id}WithApproval` }), ...(examples && { examples }) },
  );
  schemasWithApproval.set(schema, schemaWithApproval);
  return schemaWithApproval;
}

export const PENDING_APPROVAL_RESPONSE = {
  202: {
    description: 'The action is waiting for approval by a second person.',
    schema: Type.Object({ approval: Approval }),
  },
} as const;
