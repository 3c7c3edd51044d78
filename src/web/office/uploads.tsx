import type { Sent } from '../server/visit.ts';
import { PostForm } from '../ui/personal-parts.tsx';
import type { Act, ActField } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { Facts, Section, Table } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import type { MakeOfficePage, OfficeForm, OfficeVisit } from './visit.ts';
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

const add: Act = {
  path: '/imagens/nova',
  call: 'addMedia',
  title: 'Enviar imagem',
  back: '/imagens',
  fields: [PICTURE],
  button: 'Enviar',
  async run({ api }, sent) {
    const { url } = await api.addMedia({ bytes: pictureIn(sent) });
    return `Imagem salva. Num post, escreva ![descrição](${url}).`;
  },
};

export const cover: Act = {
  path: '/posts/:slug/capa',
  call: 'setPostCover',
  title: 'Trocar a capa',
  back: '/posts/:slug',
  fields: [PICTURE],
  button: 'Usar esta imagem',
  async run({ api, params }, sent) {
    await api.setPostCover({ path: { slug: params.slug! }, bytes: pictureIn(sent) });
    return 'Capa trocada.';
  },
};

export const logo: Act = {
  path: '/lojas/:slug/logo',
  call: 'setMerchantLogo',
  title: 'Trocar o logotipo',
  back: '/lojas/:slug',
  fields: [PICTURE],
  button: 'Usar esta imagem',
  async run({ api, params }, sent) {
    await api.setMerchantLogo({ path: { slug: params.slug! }, bytes: pictureIn(sent) });
    return 'Logotipo trocado. O site mostra em um segundo.';
  },
};

export const PICTURE_ACTS: readonly Act[] = [add, cover, logo];

const KINDS = { merchants: 'Lojas', categories: 'Categorias', faq: 'Perguntas', posts: 'Posts' } as const;
type Kind = keyof typeof KINDS;
type Outcome = StaffSchemas['ImportOutcome'];
const IMPORT = '/importar';
const LISTS: Record<Kind, string> = {
  merchants: '/lojas',
  categories: '/lojas',
  faq: '/perguntas',
  posts: '/posts',
};

/** A file of content, and how to read it. */
type ImportFile = {
  kind: Kind;
  format: 'csv' | 'jsonl';
  encoding: 'utf-8' | 'latin1';
  bytes: Buffer<ArrayBuffer>;
};

const send = ({ api }: Pick<OfficeVisit, 'api'>, file: ImportFile, isDry: boolean) =>
  api.importContent({
    path: { kind: file.kind },
    query: { format: file.format, encoding: file.encoding, dry_run: isDry ? 'true' : 'false' },
    bytes: { type: file.format === 'csv' ? 'text/csv' : 'application/x-ndjson', content: file.bytes },
  });

export const importPage: MakeOfficePage = async (visit) => ({
  body: (
    <OfficeLayout title="Importar conteúdo" visit={visit} crumbs={[{ href: '/lojas', text: 'Lojas' }]}>
      <PostForm visit={visit} action={IMPORT} class="panel office-act" isUpload>
        <div class="field">
          <label for="kind">O que o arquivo tem</label>
          <select id="kind" name="kind">
            {Object.entries(KINDS).map(([kind, text]) => (
              <option key={kind} value={kind}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="file">Arquivo</label>
          <p class="hint">
            CSV ou JSON Lines, de até 2 MiB. Muda só as colunas que o arquivo tem. Antes de gravar você vê o
            que mudaria.
          </p>
          <input id="file" name="file" type="file" accept=".csv,.jsonl,.ndjson,text/csv" required />
        </div>
        <div class="actions">
          <button class="button" type="submit">
            Ver o que mudaria
          </button>
        </div>
      </PostForm>
    </OfficeLayout>
  ),
});

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

function fileIn(sent: Sent): ImportFile {
  const file = sent.file('file');
  const kind = sent.text('kind');
  if (!file || !isKind(kind)) throw new FieldFault('file', 'Escolha um arquivo.');
  const format = /\.(jsonl|ndjson)$/i.test(file.name) ? 'jsonl' : 'csv';
  return { kind, format, encoding: isUtf8(file.bytes) ? 'utf-8' : 'latin1', bytes: file.bytes };
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

/** What would change, and a form that has the file in it: nothing is kept meanwhile. */
function previewOf(visit: OfficeVisit, file: ImportFile, outcome: Outcome) {
  const { added, changed, unchanged, bad, changes, faults } = outcome;
  const fields = changes.flatMap(({ key, is_new, fields: of }) =>
    of.map((field, i) => ({ ...field, key: i === 0 ? key : '', is_new })),
  );
  return {
    body: (
      <OfficeLayout
        title="O que mudaria"
        visit={visit}
        crumbs={[{ href: IMPORT, text: 'Escolher outro arquivo' }]}
      >
        <Facts
          of={[
            ['Conteúdo', KINDS[file.kind]],
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
                { title: 'O que há', show: ({ message }) => message },
              ]}
            />
          </Section>
        )}
        <Section title="Mudanças">
          <Table
            caption="Mudanças"
            rows={fields}
            empty="Nenhuma: o arquivo diz o que já está lá."
            columns={[
              { title: 'Registro', show: ({ key }) => key },
              { title: 'Campo', show: ({ name }) => name },
              { title: 'Antes', show: ({ before, is_new }) => (is_new ? 'novo' : shownCell(before)) },
              { title: 'Depois', show: ({ after }) => shownCell(after) },
            ]}
          />
        </Section>
        {bad === 0 && changes.length > 0 && (
          <PostForm visit={visit} action={`${IMPORT}/fazer`} class="panel office-act" isUpload>
            {(['kind', 'format', 'encoding'] as const).map((name) => (
              <input key={name} type="hidden" name={name} value={file[name]} />
            ))}
            <input type="hidden" name="content" value={file.bytes.toString('base64')} />
            <div class="actions">
              <button class="button" type="submit">
                Importar
              </button>
              <a class="button quiet" href={IMPORT}>
                Cancelar
              </a>
            </div>
          </PostForm>
        )}
      </OfficeLayout>
    ),
  };
}

const LONGEST_CELL = 120;
const shownCell = (value: Outcome['changes'][number]['fields'][number]['after']): string => {
  const text = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
};

export const IMPORT_FORMS: Readonly<Record<string, OfficeForm>> = {
  [IMPORT]: {
    page: IMPORT,
    async act(visit, sent) {
      const file = fileIn(sent);
      return { to: IMPORT, page: previewOf(visit.shown(), file, await send(visit, file, true)) };
    },
  },
  [`${IMPORT}/fazer`]: {
    page: IMPORT,
    async act(visit, sent) {
      const kind = sent.text('kind');
      const format = sent.text('format') === 'jsonl' ? 'jsonl' : 'csv';
      const encoding = sent.text('encoding') === 'latin1' ? 'latin1' : 'utf-8';
      if (!isKind(kind)) throw new FieldFault('file', 'Escolha um arquivo.');
      const bytes = Buffer.from(sent.text('content'), 'base64');
      const { added, changed } = await send(visit, { kind, format, encoding, bytes }, false);
      const to = LISTS[kind];
      const note = `Importado: ${added} ${added === 1 ? 'novo' : 'novos'}, ${changed} ${changed === 1 ? 'mudado' : 'mudados'}.`;
      return { to, flash: { page: to, note } };
    },
  },
};
