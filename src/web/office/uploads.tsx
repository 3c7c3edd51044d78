import type { ComponentChildren } from 'preact';
import { isUnreachable } from '../server/transport.ts';
import type { UploadedFile } from '../server/upload.ts';
import type { Sent } from '../server/visit.ts';
import { PostForm } from '../ui/personal-parts.tsx';
import { type Act, type ActField, act } from './act.tsx';
import { text } from './columns.tsx';
import { Buttons, Hidden } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, Section, Table, TableSection } from './tables.tsx';
import { typed } from './typed.ts';
import type { OfficeFormVisit } from './visit.ts';
import { FieldFault } from './words.ts';

const PICTURE: ActField = {
  name: 'picture',
  label: 'Imagem',
  hint: 'PNG, JPEG, WebP ou SVG, de até 2 MiB.',
  accept: 'image/png,image/jpeg,image/webp,image/svg+xml',
};

/** The picture that was chosen, as the service takes it. */
function pictureIn(sent: Sent) {
  const file = sent.file(PICTURE.name);
  if (!file) throw new FieldFault(PICTURE.name, 'Escolha uma imagem.');
  return { type: file.type || 'application/octet-stream', content: file.bytes };
}

export const addPicture = act({
  path: '/imagens/nova',
  call: 'addMedia',
  title: 'Enviar imagem',
  fields: [PICTURE],
  button: 'Enviar',
  bytes: pictureIn,
  done: ({ url }) => `Imagem salva. Num post, escreva ![descrição](${url}).`,
});

export const cover = act({
  path: '/posts/:slug/capa',
  call: 'setPostCover',
  title: 'Trocar a capa',
  fields: [PICTURE],
  button: 'Usar esta imagem',
  bytes: pictureIn,
  done: 'Capa trocada.',
});

export const logo = act({
  path: '/lojas/:slug/logo',
  call: 'setMerchantLogo',
  title: 'Trocar o logotipo',
  fields: [PICTURE],
  button: 'Usar esta imagem',
  bytes: pictureIn,
  done: 'Logotipo trocado. O site mostra em um segundo.',
});

/** A text file, and how to read it. */
type TextFile = {
  format: string;
  encoding: 'utf-8' | 'latin1';
  bytes: Buffer<ArrayBuffer>;
};

/** What a file does: everything about it. It is chosen; then comes what would change, with the file in the form; then the deed. */
type FileAct<Outcome> = Pick<Act, 'path' | 'call' | 'title' | 'back'> & {
  hint: string;
  accept: string;
  /** What has to be known beside the file. */
  fields?: readonly ActField[];
  formatOf(file: UploadedFile): string;
  send(visit: OfficeFormVisit, file: TextFile, sent: Sent, dryRun: 'true' | 'false'): Promise<Outcome>;
  /** What would change. */
  preview(outcome: Outcome): ComponentChildren;
  /** For the deed; undefined where there is nothing to do. */
  buttonFor(outcome: Outcome): string | undefined;
  done(outcome: Outcome, sent: Sent): Awaited<ReturnType<Act['run']>>;
};

export function fileAct<Outcome>(declared: FileAct<Outcome>): Act {
  const { hint, accept, fields = [], formatOf, send, preview, buttonFor, done, ...act } = declared;
  return {
    ...act,
    fields: [...fields, { name: 'file', label: 'Arquivo', hint, accept }],
    button: 'Ver o que mudaria',
    isSlow: true,
    async run(visit, sent) {
      const kept = keptIn(sent);
      if (kept) return done(await send(visit, kept, sent, 'false').catch(refuseUnanswered), sent);
      const chosen = sent.file('file');
      if (!chosen) throw new FieldFault('file', 'Escolha um arquivo.');
      const { bytes } = chosen;
      const file: TextFile = {
        format: formatOf(chosen),
        encoding: isUtf8(bytes) ? 'utf-8' : 'latin1',
        bytes,
      };
      const outcome = await send(visit, file, sent, 'true');
      const button = buttonFor(outcome);
      const hidden = {
        ...typed(sent, ...fields.map(({ name }) => name)),
        format: file.format,
        encoding: file.encoding,
        content: bytes.toString('base64'),
      };
      const body = (
        <>
          <div class="office-what">{preview(outcome)}</div>
          {button && (
            <PostForm visit={visit.shown()} action={act.path} class="panel office-act" isUpload>
              <Hidden of={hidden} />
              <Buttons text={button} back={act.path} />
            </PostForm>
          )}
        </>
      );
      const from = { href: act.path, text: 'Escolher outro arquivo' };
      return { page: { title: 'O que mudaria', from, body } };
    },
  };
}

/** The file of which it was shown what would change: nothing is kept meanwhile but in the form. */
const keptIn = (sent: Sent): TextFile | undefined =>
  sent.text('content') === ''
    ? undefined
    : {
        format: sent.text('format'),
        encoding: sent.text('encoding') === 'latin1' ? 'latin1' : 'utf-8',
        bytes: Buffer.from(sent.text('content'), 'base64'),
      };

/** The service may go on with it. */
function refuseUnanswered(error: unknown): never {
  if (!isUnreachable(error)) throw error;
  throw new FieldFault(
    'file',
    'O sistema demorou demais. Escolha o arquivo de novo para ver o que foi feito.',
  );
}

/** Spreadsheets still write the older encoding. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const KINDS = { merchants: 'Lojas', categories: 'Categorias', faq: 'Perguntas', posts: 'Posts' } as const;
const LISTS = { merchants: '/lojas', categories: '/lojas', faq: '/perguntas', posts: '/posts' } as const;

function kindIn(sent: Sent): keyof typeof KINDS {
  const kind = sent.text('kind');
  if (!Object.hasOwn(KINDS, kind)) throw new FieldFault('kind', 'Escolha o que o arquivo tem.');
  return kind as keyof typeof KINDS;
}

export const importFile = fileAct<StaffSchemas['ImportOutcome']>({
  path: '/importar',
  call: 'importContent',
  title: 'Importar conteúdo',
  back: '/lojas',
  hint: 'CSV ou JSON Lines, de até 2 MiB. Muda só as colunas que o arquivo tem. Antes de gravar você vê o que mudaria.',
  accept: '.csv,.jsonl,.ndjson,text/csv',
  fields: [{ name: 'kind', label: 'O que o arquivo tem', choices: KINDS }],
  formatOf: ({ name }) => (/\.(jsonl|ndjson)$/i.test(name) ? 'jsonl' : 'csv'),
  send({ api }, { format, encoding, bytes }, sent, dryRun) {
    const isLines = format === 'jsonl';
    return api.importContent({
      path: { kind: kindIn(sent) },
      query: { format: isLines ? 'jsonl' : 'csv', encoding, dry_run: dryRun },
      bytes: { type: isLines ? 'application/x-ndjson' : 'text/csv', content: bytes },
    });
  },
  preview: (outcome) => <Changes of={outcome} />,
  buttonFor: ({ bad, changes }) => (bad === 0 && changes.length > 0 ? 'Importar' : undefined),
  done({ added, changed }, sent) {
    const note = `Importado: ${added} ${added === 1 ? 'novo' : 'novos'}, ${changed} ${changed === 1 ? 'mudado' : 'mudados'}.`;
    return { to: LISTS[kindIn(sent)], note };
  },
});

function Changes({ of }: { of: StaffSchemas['ImportOutcome'] }) {
  const { added, changed, unchanged, bad, changes, faults } = of;
  const rows = changes.flatMap(({ key, is_new, fields }) =>
    fields.map((field, i) => ({ ...field, key: i === 0 ? key : '', is_new })),
  );
  return (
    <>
      <Facts
        are={[
          ['Novos', added],
          ['Mudados', changed],
          ['Iguais', unchanged],
          ['Linhas com erro', bad],
        ]}
      />
      {bad > 0 && (
        <Section title="Erros">
          <p>Com erros nada é importado. Corrija o arquivo e escolha de novo.</p>
          <Table
            caption="Erros"
            rows={faults}
            columns={[
              { title: 'Linha', isNumber: true, show: ({ line }) => line },
              text('O que há', 'message'),
            ]}
          />
        </Section>
      )}
      <TableSection
        title="Mudanças"
        rows={rows}
        empty="Nenhuma: o arquivo diz o que já está lá."
        columns={[
          text('Registro', 'key'),
          text('Campo', 'name'),
          { title: 'Antes', show: ({ before, is_new }) => (is_new ? 'novo' : shownCell(before)) },
          { title: 'Depois', show: ({ after }) => shownCell(after) },
        ]}
      />
    </>
  );
}

type Cell = StaffSchemas['ImportOutcome']['changes'][number]['fields'][number]['after'];

const LONGEST_CELL = 120;
const shownCell = (value: Cell): string => {
  const text = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
};
