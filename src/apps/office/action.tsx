import type { ComponentChildren } from 'preact';
import {
  type BodyField,
  type CallId,
  type FullResponseOf,
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
  /** The name of a field of the operation's body, or a pointer to an inner field: `owner/name`. */
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

/** A field of the operation's body. A label, length or kind of input that is not declared is derived from the operation's schema. */
export type FieldDeclaration = string | (Partial<ActionField> & { name: string });

type ResultPage = { title: string; backLink: { href: string; text: string }; children: ComponentChildren };
/** The note that reports success; with `redirectTo` if the next page is not `backPath`. */
type ActionResult = string | { note: string; redirectTo: string };

/**
 * Says when a second person must approve the action: always, or if the amount that the user enters is above `FOUR_EYES_AMOUNT`.
 * Only the service can evaluate other rules; `text` describes them to the user.
 */
type FixedApprovalRule = 'enteredAmountAboveLimit' | 'always' | { text: string };

/**
 * What a staff user does by a form, in three steps: the page shows the impact, the user fills in the fields (such as the reason), and
 * `run` calls the staff API. Each action has its own page, which works without scripts.
 */
export type Action = {
  path: string;
  /** Only roles that may call this operation see the action. */
  operation: OperationId;
  /** Replaces the role of the operation, if the action uses fields of its body that require another role. */
  role?: Role;
  title: string;
  /** The page that links to the action, and to which the action returns. */
  backPath: string;
  /** Fields that `renderImpact` depends on. The user fills them in before the impact is shown; then they are part of the URL. */
  firstStepFields?: readonly ActionField[];
  /** Renders what the action would change. */
  renderImpact?: (visit: OfficeVisit) => Promise<ComponentChildren>;
  /** A function returns the amount that the action pays out or waives: a second person must approve it above the limit. */
  approvalRule?: FixedApprovalRule | ((visit: OfficeVisit) => Promise<number>);
  fields?: readonly ActionField[] | ((visit: OfficeVisit) => Promise<readonly ActionField[]>);
  /** Renders the typed values as they will look, beside the form. A button renders the preview again. */
  preview?: (visit: OfficeVisit, values: FieldValues) => Promise<ComponentChildren>;
  button: string;
  /** The operation may take longer than the time limit of pages. */
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
type FromRecord<ActionRecord, Value> = (record: ActionRecord, visit: OfficeVisit) => Value | Promise<Value>;

/** `ActionRecord`: the record from which the impact, the approval rule and the fields are computed. */
type SharedOptions<ActionRecord> = Pick<Action, 'path' | 'role' | 'title' | 'preview' | 'isSlow'> & {
  firstStepFields?: readonly FieldDeclaration[];
  /** Defaults to the page of the record that the path names, or to its list. */
  backPath?: string;
  /** Defaults to the title. */
  button?: string;
  /** A text that is rendered below the impact. */
  description?: string;
  renderImpact?: FromRecord<ActionRecord, ComponentChildren>;
  approvalRule?: FixedApprovalRule | FromRecord<ActionRecord, number>;
  fields?: readonly FieldDeclaration[] | FromRecord<ActionRecord, readonly FieldDeclaration[]>;
};

/** The operation that reads the record. With `editedRecordOperation` the form edits that record. */
type RecordOptions<ReadId> = {
  recordOperation?: ReadId;
  /** Sends `If-Match`: the action fails if another user changed the record after the form was rendered. */
  editedRecordOperation?: ReadId;
};

type BodyOf<Id extends CallId> =
  InputOf<Id> extends { body: infer B } ? B : InputOf<Id> extends { body?: infer B } ? NonNullable<B> : never;

/** Excludes the response that says that a second person has to approve the action. */
type PerformedResponse<Response> = Exclude<Response, { approval: unknown }>;

/** The action calls its operation once, with the parameters of its path, unless it has its own `run`. */
type RunOptions<Id extends CallId> =
  | {
      /** Defaults to the fields of the form. */
      body?: (form: SubmittedForm) => BodyOf<Id>;
      /** The content of the request, if it is a file instead of a body. */
      bytes?: (form: SubmittedForm) => NonNullable<InputOf<Id>['bytes']>;
      success: ActionResult | ((output: PerformedResponse<OutputOf<Id>>) => ActionResult);
      run?: undefined;
    }
  | { run: Action['run']; success?: undefined };

/** `Id`: the operation. `ReadId`: the operation that reads the record; `never` if the action declares none. */
type ActionDeclaration<Id extends CallId, ReadId extends CallId> = SharedOptions<
  [ReadId] extends [never] ? undefined : OutputOf<ReadId>
> &
  RecordOptions<ReadId> & { operation: Id } & RunOptions<Id>;

/** `ActionDeclaration` without the types of a particular operation, for the implementation. */
type AnyActionDeclaration = SharedOptions<unknown> &
  RecordOptions<CallId> & {
    operation: CallId;
    body?: (form: SubmittedForm) => unknown;
    bytes?: (form: SubmittedForm) => unknown;
    success?: ActionResult | ((output: unknown) => ActionResult) | undefined;
    run?: Action['run'] | undefined;
  };

/** The parameters in the path of an action have the names of the parameters of its operation. */
const callStaffApi = (
  { api, params }: Pick<OfficeVisit, 'api' | 'params'>,
  operation: CallId,
  input: object = {},
) =>
  (api.call as (operation: CallId, input: object) => Promise<FullResponseOf<CallId>>)(operation, {
    path: params,
    ...input,
  });

/** Matches `/compras/:hash` in `/compras/:hash/baixar`, and `/lojas` in `/lojas/nova`. */
const RECORD_PATH = /^\/[^/]+(\/:\w+)?/;

/** The fields of a `BulkAction` do not depend on a record. */
export function defineAction<Id extends CallId, ReadId extends CallId = never>(
  declaration: ActionDeclaration<Id, ReadId> & {
    fields?: readonly FieldDeclaration[];
    editedRecordOperation?: undefined;
  },
): BulkAction;
export function defineAction<Id extends CallId, ReadId extends CallId = never>(
  declaration: ActionDeclaration<Id, ReadId>,
): Action;
export function defineAction(declaration: AnyActionDeclaration): Action {
  const { operation, body, bytes, success, recordOperation, editedRecordOperation, ...options } = declaration;
  const { description, renderImpact, approvalRule, fields, firstStepFields, ...actionOptions } = options;
  const resolveFields = (declarations: readonly FieldDeclaration[]) =>
    declarations.map((field) => resolveField(operation, field));
  const readOperation = editedRecordOperation ?? recordOperation;
  /** Returns undefined if the action declares no record. */
  const readRecord = async (visit: OfficeVisit) => readOperation && callStaffApi(visit, readOperation);

  const renderImpactAndDescription = async (visit: OfficeVisit) => (
    <>
      {renderImpact && (await renderImpact((await readRecord(visit))?.data, visit))}
      {description && <p>{description}</p>}
    </>
  );
  const computeFields = async (visit: OfficeVisit) => {
    const response = await readRecord(visit);
    const declarations = typeof fields === 'function' ? await fields(response?.data, visit) : fields;
    const versionFields = editedRecordOperation ? [createVersionField(response!)] : [];
    return [...versionFields, ...resolveFields(declarations ?? [])];
  };
  const runOperation: Action['run'] = async (visit, form) => {
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
    ...((renderImpact || description) && { renderImpact: renderImpactAndDescription }),
    ...(approvalRule && {
      approvalRule:
        typeof approvalRule !== 'function'
          ? approvalRule
          : async (visit) => approvalRule((await readRecord(visit))?.data, visit),
    }),
    ...(fields && {
      fields: typeof fields === 'function' || editedRecordOperation ? computeFields : resolveFields(fields),
    }),
    run: declaration.run ?? runOperation,
  };
}

/** Turns the response into the note for the user. Status 202 says that a second person has to approve the action. */
export function toActionResult<Output>(
  { status, data }: { status: number; data: Output },
  success: ActionResult | ((output: PerformedResponse<Output>) => ActionResult),
): ActionResult {
  if (status === 202) return 'Pedido registrado. Espera a aprovação de outra pessoa, em Aprovações.';
  return typeof success === 'function' ? success(data as PerformedResponse<Output>) : success;
}

const REASON_FIELD = { label: 'Motivo', hint: 'Fica na trilha, com o seu nome.', rows: 2 };

/** The kind of input for a field of the body, by the type of the field. The default is a text input. */
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

/** A hidden field with the ETag of the record in the form. `readIfMatch` sends it back, so that no concurrent change is overwritten. */
const createVersionField = ({ headers }: Pick<FullResponseOf<CallId>, 'headers'>): ActionField => ({
  name: VERSION_FIELD,
  label: '',
  hidden: true,
  value: String(headers.etag ?? ''),
});
export const readIfMatch = (form: SubmittedForm): { headers?: Record<string, string> } =>
  form.readText(VERSION_FIELD) ? { headers: { 'if-match': form.readText(VERSION_FIELD) } } : {};

export const mayPerform = (role: Role, action: Action) =>
  action.role ? hasRole(role, action.role) : mayCall(role, action.operation);

/** Links to the actions that the user's role may perform. `params` are added to the path parameters of the page. */
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
