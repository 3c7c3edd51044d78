import type { ComponentChildren } from 'preact';
import {
  type AnswerOf,
  type BodyField,
  type CallId,
  getBodyFields,
  hasBody,
  hasRole,
  type InputOf,
  mayCall,
  type OperationId,
  type OutputOf,
  type Role,
} from '#staff-client';
import { fillPath } from '../server/personal-routes.ts';
import type { FieldValues, SubmittedForm } from '../server/submitted-form.ts';
import { getFieldLabel } from './field-labels.ts';
import { readBody } from './form-values.ts';
import { YES_NO_LABELS } from './labels.ts';
import type { OfficeFormVisit, OfficeVisit } from './visit.ts';

export type ActionField = {
  /** The name of a field of the call, or a pointer to an inner field: `owner/name`. */
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  choices?: Readonly<Record<string, string>>;
  mask?: 'money' | 'phone' | undefined;
  type?: 'email' | 'tel' | 'datetime-local';
  /** Makes the field a file input for these types. */
  accept?: string;
  rows?: number;
  optional?: boolean;
  maxLength?: number;
  hidden?: true;
};

/** A field of the body of the call. If its label, length or kind of input is not declared, it is derived from the call. */
export type FieldDeclaration = string | (Partial<ActionField> & { name: string });

type ResultPage = { title: string; backLink: { href: string; text: string }; children: ComponentChildren };
/** The note that reports success, and the page to redirect to if that is not `backPath`. */
type ActionResult = string | { note: string; redirectTo: string };

/**
 * Says when a second person must approve the action: `enteredAmountAboveLimit` if the amount that the user enters is above the limit, `always` in any
 * case. Only the service evaluates other rules; `text` describes them to the user.
 */
type FixedApprovalRule = 'enteredAmountAboveLimit' | 'always' | { text: string };

/**
 * A staff action in three steps: its impact, the fields to fill in (such as the reason), and the call. It has its own page, which
 * works without scripts.
 */
export type Action = {
  path: string;
  /** Only roles that may make this call see the action. */
  operation: OperationId;
  /** Replaces the role that the call requires, if the action uses fields of the call that require another role. */
  role?: Role;
  title: string;
  /** The page that links to the action, and to which the action returns. */
  backPath: string;
  /** Fields that `renderImpact` depends on. They are requested first and then are part of the URL. */
  firstStepFields?: readonly ActionField[];
  renderImpact?: (visit: OfficeVisit) => Promise<ComponentChildren>;
  /** A function returns the amount that the action pays out or waives: a second person must approve it above the limit. */
  approvalRule?: FixedApprovalRule | ((visit: OfficeVisit) => Promise<number>);
  fields?: readonly ActionField[] | ((visit: OfficeVisit) => Promise<readonly ActionField[]>);
  /** Renders the typed values as they will look, beside the form. A button renders the preview again. */
  preview?: (visit: OfficeVisit, values: FieldValues) => Promise<ComponentChildren>;
  button: string;
  /** The call may take longer than the time limit of pages. */
  isSlow?: true;
  /**
   * Performs the action. A dry run returns a `trialResult`, which is rendered with the form. An idempotent run may return a page instead of a
   * redirect, because the user can send its request again.
   */
  run: (
    visit: OfficeFormVisit,
    form: SubmittedForm,
  ) => Promise<ActionResult | { trialResult: ComponentChildren } | { page: ResultPage }>;
};

/** An action whose fields do not depend on the record, so that it can be applied to many rows. */
export type BulkAction = Action & { fields?: readonly ActionField[] };

/** Computes a value from the record of an action. */
type FromRecord<Source, Value> = (record: Source, visit: OfficeVisit) => Value | Promise<Value>;

/** `Source`: the record that the impact, the approval rule and the fields are computed from. */
type SharedOptions<Source> = Pick<Action, 'path' | 'role' | 'title' | 'preview' | 'isSlow'> & {
  firstStepFields?: readonly FieldDeclaration[];
  /** Defaults to the page of the record that the path names, or to its list. */
  backPath?: string;
  button?: string;
  description?: string;
  renderImpact?: FromRecord<Source, ComponentChildren>;
  approvalRule?: FixedApprovalRule | FromRecord<Source, number>;
  fields?: readonly FieldDeclaration[] | FromRecord<Source, readonly FieldDeclaration[]>;
};

/**
 * The call that reads the record. With `editedRecordOperation` the form edits that record, and the action fails if another user changed the
 * record after the form was rendered.
 */
type RecordOptions<R> = { recordOperation?: R; editedRecordOperation?: R };

type BodyOf<O extends CallId> =
  InputOf<O> extends { body: infer B } ? B : InputOf<O> extends { body?: infer B } ? NonNullable<B> : never;

/** Excludes the response that says that a second person has to approve the action. */
type PerformedResponse<Response> = Exclude<Response, { approval: unknown }>;

/** The action is one call with the parameters of its path, unless it has its own `run`. */
type CallOptions<O extends CallId> =
  | {
      /** Defaults to the fields of the form. */
      body?: (form: SubmittedForm) => BodyOf<O>;
      bytes?: (form: SubmittedForm) => NonNullable<InputOf<O>['bytes']>;
      success: ActionResult | ((output: PerformedResponse<OutputOf<O>>) => ActionResult);
      run?: undefined;
    }
  | { run: Action['run']; success?: undefined };

type ActionDeclaration<O extends CallId, R extends CallId> = SharedOptions<
  [R] extends [never] ? undefined : OutputOf<R>
> &
  RecordOptions<R> & { operation: O } & CallOptions<O>;

/** `ActionDeclaration` without the types of a particular call, for the implementation. */
type AnyActionDeclaration = SharedOptions<unknown> &
  RecordOptions<CallId> & {
    operation: CallId;
    body?: (form: SubmittedForm) => unknown;
    bytes?: (form: SubmittedForm) => unknown;
    success?: ActionResult | ((output: unknown) => ActionResult) | undefined;
    run?: Action['run'] | undefined;
  };

/** The parameters in the path of an action have the names of the parameters of its call. */
const callStaffApi = (
  { api, params }: Pick<OfficeVisit, 'api' | 'params'>,
  operation: CallId,
  input: object = {},
) =>
  (api.call as (operation: CallId, input: object) => Promise<AnswerOf<CallId>>)(operation, {
    path: params,
    ...input,
  });

const RECORD_PATH = /^\/[^/]+(\/:\w+)?/;

export function defineAction<O extends CallId, R extends CallId = never>(
  declaration: ActionDeclaration<O, R> & {
    fields?: readonly FieldDeclaration[];
    editedRecordOperation?: undefined;
  },
): BulkAction;
export function defineAction<O extends CallId, R extends CallId = never>(
  declaration: ActionDeclaration<O, R>,
): Action;
export function defineAction(declaration: AnyActionDeclaration): Action {
  const { operation, body, bytes, success, recordOperation, editedRecordOperation, ...options } = declaration;
  const { description, renderImpact, approvalRule, fields, firstStepFields, ...actionOptions } = options;
  const resolveFields = (declarations: readonly FieldDeclaration[]) =>
    declarations.map((field) => resolveField(operation, field));
  const readOperation = editedRecordOperation ?? recordOperation;
  const readRecord = async (visit: OfficeVisit) => readOperation && callStaffApi(visit, readOperation);
  const computeFields = async (visit: OfficeVisit) => {
    const response = await readRecord(visit);
    const declarations = typeof fields === 'function' ? await fields(response?.data, visit) : fields;
    const versionFields = editedRecordOperation ? [createVersionField(response!)] : [];
    return [...versionFields, ...resolveFields(declarations ?? [])];
  };
  const callOperation: Action['run'] = async (visit, form) => {
    const response = await callStaffApi(visit, operation, {
      ...(hasBody(operation) && { body: body ? body(form) : readBody(operation, form) }),
      ...(bytes && { bytes: bytes(form) }),
      idempotencyKey: visit.idempotencyKey,
      ...(editedRecordOperation && readIfMatch(form)),
    });
    return toActionResult(response, success!);
  };
  return {
    backPath: RECORD_PATH.exec(declaration.path)![0],
    button: declaration.title,
    ...actionOptions,
    operation,
    ...(firstStepFields && { firstStepFields: resolveFields(firstStepFields) }),
    ...((renderImpact || description) && {
      renderImpact: async (visit) => (
        <>
          {renderImpact && (await renderImpact((await readRecord(visit))?.data, visit))}
          {description && <p>{description}</p>}
        </>
      ),
    }),
    ...(approvalRule && {
      approvalRule:
        typeof approvalRule !== 'function'
          ? approvalRule
          : async (visit) => approvalRule((await readRecord(visit))?.data, visit),
    }),
    ...(fields && {
      fields: typeof fields === 'function' || editedRecordOperation ? computeFields : resolveFields(fields),
    }),
    run: declaration.run ?? callOperation,
  };
}

/** Status 202 says that a second person has to approve the action. */
export function toActionResult<Output>(
  { status, data }: { status: number; data: Output },
  success: ActionResult | ((output: PerformedResponse<Output>) => ActionResult),
): ActionResult {
  if (status === 202) return 'Pedido registrado. Espera a aprovação de outra pessoa, em Aprovações.';
  return typeof success === 'function' ? success(data as PerformedResponse<Output>) : success;
}

const REASON_FIELD = { label: 'Motivo', hint: 'Fica na trilha, com o seu nome.', rows: 2 };

const FIELD_INPUTS: Partial<Record<BodyField['type'], Partial<ActionField>>> = {
  amount: { mask: 'money' },
  phone: { mask: 'phone' },
  boolean: { choices: YES_NO_LABELS },
  instant: { type: 'datetime-local' },
};

function resolveField(operation: CallId, declaration: FieldDeclaration): ActionField {
  const props = typeof declaration === 'string' ? { name: declaration } : declaration;
  const { name } = props;
  const { type, maxLength } = getBodyFields(operation)[name] ?? { type: 'text' };
  return {
    label: getFieldLabel(name.split('/').at(-1)!),
    ...(maxLength && { maxLength }),
    ...FIELD_INPUTS[type],
    ...(name === 'reason' && REASON_FIELD),
    ...props,
  };
}

const VERSION_FIELD = 'versao';

/** Holds the ETag of the record that the form shows. `readIfMatch` sends it back, so that no concurrent change is overwritten. */
const createVersionField = ({ headers }: Pick<AnswerOf<CallId>, 'headers'>): ActionField => ({
  name: VERSION_FIELD,
  label: '',
  hidden: true,
  value: String(headers.etag ?? ''),
});
export const readIfMatch = (form: SubmittedForm): { headers?: Record<string, string> } =>
  form.text(VERSION_FIELD) ? { headers: { 'if-match': form.text(VERSION_FIELD) } } : {};

export const mayPerform = (role: Role, action: Action) =>
  action.role ? hasRole(role, action.role) : mayCall(role, action.operation);

/** Links to the actions that the user's role may perform. `params` adds to the path parameters of the page. */
export const ActionLinks = (props: {
  visit: OfficeVisit;
  actions: ReadonlyArray<Action | false>;
  params?: Record<string, string>;
}) => (
  <>
    {props.actions
      .filter((action) => action !== false)
      .filter((action) => mayPerform(props.visit.user!.role, action))
      .map(({ path, title }) => (
        <a
          key={path}
          class="button small quiet"
          href={fillPath(path, { ...props.visit.params, ...props.params })}
        >
          {title}
        </a>
      ))}
  </>
);
