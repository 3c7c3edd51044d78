import type { ComponentChildren } from 'preact';
import type { StaffSchemas } from '#staff-client';
import { FieldError, type SubmittedForm, type UploadedFile } from '../server/submitted-form.ts';
import { isUnreachable } from '../server/transport.ts';
import { pluralize } from '../text/format.ts';
import { HiddenInputs, PostForm } from '../ui/forms.tsx';
import { type Action, type ActionField, defineAction } from './action.tsx';
import { getFieldLabel } from './field-labels.ts';
import { pickFields } from './form-values.ts';
import { FormButtons } from './layout.tsx';
import { toScreenText } from './problem-texts.ts';
import { DescriptionList, Section, Table, TableSection, withTitle } from './tables.tsx';
import type { OfficeFormVisit } from './visit.ts';

const PICTURE_FIELD: ActionField = {
  name: 'picture',
  label: 'Imagem',
  hint: 'PNG, JPEG, WebP ou SVG, de até 2 MiB.',
  accept: 'image/png,image/jpeg,image/webp,image/svg+xml',
};

function readPicture(form: SubmittedForm) {
  const file = form.readUploadedFile(PICTURE_FIELD.name);
  if (!file) throw new FieldError(PICTURE_FIELD.name, 'Escolha uma imagem.');
  return { type: file.type || 'application/octet-stream', content: file.bytes };
}

export const addPicture = defineAction({
  path: '/imagens/nova',
  operation: 'addMedia',
  title: 'Enviar imagem',
  fields: [PICTURE_FIELD],
  button: 'Enviar',
  bytes: readPicture,
  success: ({ url }) => `Imagem salva. Num post, escreva ![descrição](${url}).`,
});

export const setPostCover = defineAction({
  path: '/posts/:slug/capa',
  operation: 'setPostCover',
  title: 'Trocar a capa',
  fields: [PICTURE_FIELD],
  button: 'Usar esta imagem',
  bytes: readPicture,
  success: 'Capa trocada.',
});

export const setMerchantLogo = defineAction({
  path: '/lojas/:slug/logo',
  operation: 'setMerchantLogo',
  title: 'Trocar o logotipo',
  fields: [PICTURE_FIELD],
  button: 'Usar esta imagem',
  bytes: readPicture,
  success: 'Logotipo trocado. O site mostra em um segundo.',
});

/** `format` comes from `detectFormat`, or after the dry run from a hidden input, which a user can change. */
type TextFile = { format: string; encoding: 'utf-8' | 'latin1'; bytes: Buffer<ArrayBuffer> };

/** An action on an uploaded file in three steps: the file is chosen, a dry run shows what would change, then the action is performed. */
type FileActionDeclaration<Outcome> = Pick<Action, 'path' | 'operation' | 'title' | 'backPath'> & {
  hint: string;
  accept: string;
  fields?: readonly ActionField[];
  detectFormat(file: UploadedFile): string;
  /** Sends the file to the staff API. A dry run changes nothing. */
  send(
    visit: OfficeFormVisit,
    file: TextFile,
    form: SubmittedForm,
    /** A text, because the operation has it as a query parameter. */
    options: { dryRun: 'true' | 'false' },
  ): Promise<Outcome>;
  renderPreview(outcome: Outcome): ComponentChildren;
  /** The text of the button that performs the action; undefined if there is nothing to do. */
  getButtonText(outcome: Outcome): string | undefined;
  toResult(outcome: Outcome, form: SubmittedForm): Awaited<ReturnType<Action['run']>>;
};

export function defineFileAction<Outcome>(declaration: FileActionDeclaration<Outcome>): Action {
  const { path, operation, title, backPath, hint, accept, fields = [] } = declaration;
  const { detectFormat, send, renderPreview, getButtonText, toResult } = declaration;
  return {
    path,
    operation,
    title,
    backPath,
    fields: [...fields, { name: 'file', label: 'Arquivo', hint, accept }],
    button: 'Ver o que mudaria',
    isSlow: true,
    async run(visit, form) {
      const previewedFile = readPreviewedFile(form);
      if (previewedFile)
        return toResult(
          await send(visit, previewedFile, form, { dryRun: 'false' }).catch(rethrowTimeoutAsFieldError),
          form,
        );
      const uploadedFile = form.readUploadedFile('file');
      if (!uploadedFile) throw new FieldError('file', 'Escolha um arquivo.');
      const { bytes } = uploadedFile;
      const file: TextFile = {
        format: detectFormat(uploadedFile),
        encoding: isUtf8(bytes) ? 'utf-8' : 'latin1',
        bytes,
      };
      const outcome = await send(visit, file, form, { dryRun: 'true' });
      const button = getButtonText(outcome);
      const hiddenValues = {
        ...pickFields(form, ...fields.map(({ name }) => name)),
        format: file.format,
        encoding: file.encoding,
        content: bytes.toString('base64'),
      };
      const children = (
        <>
          <div class="office-impact">{renderPreview(outcome)}</div>
          {button && (
            <PostForm visit={visit.toPageVisit()} action={path} class="panel office-action" isUpload>
              <HiddenInputs values={hiddenValues} />
              <FormButtons submitText={button} cancelPath={path} />
            </PostForm>
          )}
        </>
      );
      const backLink = { href: path, text: 'Escolher outro arquivo' };
      return { page: { title: 'O que mudaria', backLink, children } };
    },
  };
}

/** Reads the file from the hidden inputs of the preview form. Returns undefined before the dry run. */
const readPreviewedFile = (form: SubmittedForm): TextFile | undefined =>
  form.readText('content') === ''
    ? undefined
    : {
        format: form.readText('format'),
        encoding: form.readText('encoding') === 'latin1' ? 'latin1' : 'utf-8',
        bytes: Buffer.from(form.readText('content'), 'base64'),
      };

/** After a timeout the service may still complete the action, so the text asks the user to upload the file again and check. */
function rethrowTimeoutAsFieldError(error: unknown): never {
  if (!isUnreachable(error)) throw error;
  throw new FieldError(
    'file',
    'O sistema demorou demais. Escolha o arquivo de novo para ver o que foi feito.',
  );
}

/** Spreadsheets may also write Latin-1, in which accented text is not valid UTF-8. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const CONTENT_KINDS = {
  merchants: { label: 'Lojas', listPath: '/lojas' },
  categories: { label: 'Categorias', listPath: '/categorias' },
  faq: { label: 'Perguntas', listPath: '/perguntas' },
  posts: { label: 'Posts', listPath: '/posts' },
};
const CONTENT_KIND_LABELS = Object.fromEntries(
  Object.entries(CONTENT_KINDS).map(([kind, { label }]) => [kind, label]),
);

function readContentKind(form: SubmittedForm): keyof typeof CONTENT_KINDS {
  const kind = form.readText('kind');
  if (!Object.hasOwn(CONTENT_KINDS, kind)) throw new FieldError('kind', 'Escolha o que o arquivo tem.');
  return kind as keyof typeof CONTENT_KINDS;
}

export const importContent = defineFileAction<StaffSchemas['ImportOutcome']>({
  path: '/importar',
  operation: 'importContent',
  title: 'Importar conteúdo',
  backPath: '/lojas',
  hint: 'CSV ou JSON Lines, de até 2 MiB. Muda só as colunas que o arquivo tem. Antes de gravar você vê o que mudaria.',
  accept: '.csv,.jsonl,.ndjson,text/csv',
  fields: [{ name: 'kind', label: 'O que o arquivo tem', choices: CONTENT_KIND_LABELS }],
  detectFormat: ({ name }) => (/\.(jsonl|ndjson)$/i.test(name) ? 'jsonl' : 'csv'),
  send({ api }, { format, encoding, bytes }, form, { dryRun }) {
    const isJsonLines = format === 'jsonl';
    return api.importContent({
      path: { kind: readContentKind(form) },
      query: { format: isJsonLines ? 'jsonl' : 'csv', encoding, dry_run: dryRun },
      bytes: { type: isJsonLines ? 'application/x-ndjson' : 'text/csv', content: bytes },
    });
  },
  renderPreview: (outcome) => <ImportPreview outcome={outcome} />,
  getButtonText: ({ bad, changes }) => (bad === 0 && changes.length > 0 ? 'Importar' : undefined),
  toResult({ added, changed }, form) {
    const note = `Importado: ${pluralize(added, 'novo', 'novos')}, ${pluralize(changed, 'mudado', 'mudados')}.`;
    return { redirectTo: CONTENT_KINDS[readContentKind(form)].listPath, note };
  },
});

function ImportPreview({ outcome }: { outcome: StaffSchemas['ImportOutcome'] }) {
  const { added, changed, unchanged, bad: badLineCount, changes, faults } = outcome;
  const rows = changes.flatMap(({ key, is_new, fields }) =>
    fields.map((field, i) => ({ ...field, key: i === 0 ? key : '', is_new })),
  );
  return (
    <>
      <DescriptionList
        rows={[
          ['Novos', added],
          ['Mudados', changed],
          ['Iguais', unchanged],
          ['Linhas com erro', badLineCount],
        ]}
      />
      {badLineCount > 0 && (
        <Section title="Erros">
          <p>Com erros nada é importado. Corrija o arquivo e escolha de novo.</p>
          <Table
            caption="Erros"
            rows={faults}
            columns={[
              { title: 'Linha', isNumber: true, render: ({ line }) => line },
              { title: 'O que há', render: ({ message }) => toScreenText(message) },
            ]}
          />
        </Section>
      )}
      <TableSection
        title="Mudanças"
        rows={rows}
        emptyText="Nenhuma: o arquivo diz o que já está lá."
        columns={[
          withTitle('key', 'Registro'),
          { title: 'Campo', render: ({ name }) => getFieldLabel(name) },
          { title: 'Antes', render: ({ before, is_new }) => (is_new ? 'novo' : formatCell(before)) },
          { title: 'Depois', render: ({ after }) => formatCell(after) },
        ]}
      />
    </>
  );
}

type Cell = StaffSchemas['ImportOutcome']['changes'][number]['fields'][number]['after'];

const MAX_CELL_LENGTH = 120;
const formatCell = (value: Cell): string => {
  const text = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
};
