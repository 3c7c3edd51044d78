import type { Sent } from '../server/visit.ts';
import { type Act, ActLinks, ifMatch, type PlainAct, reason, version } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { LEAD, RETURN } from './lists/names.ts';
import { makeMerchant } from './merchant-acts.tsx';
import { Code, Facts, Money, Status, When } from './parts.tsx';
import { cover } from './uploads.tsx';
import type { MakeOfficePage } from './visit.ts';

const LEAD_PATH = '/contatos/:id';
const POST_PATH = '/posts/:slug';
const RETURN_PATH = '/devolucoes/:id';

const handle: Act = {
  path: `${LEAD_PATH}/atender`,
  call: 'changeLead',
  title: 'Anotar e mudar situação',
  back: LEAD_PATH,
  async fields({ api, params }) {
    const read = await api.call('getLead', { path: { id: params.id! } });
    const { status, note } = read.data;
    return [
      version(read),
      { name: 'status', label: 'Situação', choices: LEAD, value: status },
      { name: 'note', label: 'Anotação', rows: 4, value: note ?? '', optional: true, maxLength: 2000 },
    ];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    const status = sent.text('status') === 'handled' ? ('handled' as const) : ('new' as const);
    const body = { status, note: sent.text('note') || null };
    await api.changeLead({ path: { id: params.id! }, body, ...ifMatch(sent) });
    return 'Contato salvo.';
  },
};

export const handled: PlainAct = {
  path: `${LEAD_PATH}/atendido`,
  call: 'changeLead',
  title: 'Marcar como atendido',
  back: LEAD_PATH,
  button: 'Marcar como atendido',
  async run({ api, params }) {
    await api.changeLead({ path: { id: params.id! }, body: { status: 'handled' } });
    return 'Contato atendido.';
  },
};

export const leadPage: MakeOfficePage = async (visit) => {
  const lead = await visit.api.getLead({ path: { id: visit.params.id! } });
  return {
    body: (
      <OfficeLayout
        title="Contato"
        heading={lead.name}
        visit={visit}
        crumbs={[{ href: '/contatos', text: 'Contatos' }]}
        actions={
          <ActLinks
            visit={visit}
            acts={[handle, ...(lead.status === 'new' ? [handled, makeMerchant] : [])]}
          />
        }
      >
        <Facts
          of={[
            ['Tipo', lead.kind],
            ['Situação', <Status key="s" of={lead.status} names={LEAD} />],
            ['E-mail', lead.email ?? 'nenhum'],
            ['Telefone', lead.phone ?? 'nenhum'],
            ['Empresa', lead.company ?? 'nenhuma'],
            ['Recebido', <When key="r" at={lead.received_at} />],
            ['Mensagem', lead.message ?? 'nenhuma'],
            ['Anotação', lead.note ?? 'nenhuma'],
          ]}
        />
      </OfficeLayout>
    ),
  };
};

/** An instant in a field, in São Paulo; null where it is empty. */
export function instantIn(sent: Sent, name: string): string | null {
  const text = sent.text(name);
  return text ? new Date(`${text}:00-03:00`).toISOString() : null;
}
const localTime = (at: string | null) =>
  at === null ? '' : new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 16);

const postBody = (sent: Sent) => ({
  title: sent.text('title'),
  summary: sent.text('summary'),
  author: sent.text('author'),
  body: sent.text('body'),
  tags: sent
    .text('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean),
  // Empty is a draft.
  published_at: instantIn(sent, 'published_at'),
});

const postFields = (post?: {
  title: string;
  summary: string;
  author: string;
  body: string;
  tags: string[];
  published_at: string | null;
}) => [
  { name: 'title', label: 'Título', value: post?.title, maxLength: 200 },
  { name: 'summary', label: 'Resumo', value: post?.summary, rows: 2, maxLength: 500 },
  { name: 'author', label: 'Autor', value: post?.author, maxLength: 120 },
  {
    name: 'tags',
    label: 'Etiquetas',
    hint: 'Separadas por vírgula.',
    value: post?.tags.join(', '),
    optional: true,
  },
  {
    name: 'published_at',
    label: 'Publicar em',
    hint: 'Hora de São Paulo. No futuro fica agendado; em branco é rascunho.',
    type: 'datetime-local' as const,
    value: localTime(post?.published_at ?? null),
    optional: true,
  },
  { name: 'body', label: 'Texto, em Markdown', value: post?.body, rows: 18, maxLength: 60_000 },
];

/** The HTML is harmless: the service made it so. */
const PostText = ({ title, cover, html }: { title: string; cover?: string | null; html: string }) => (
  <article class="prose office-post">
    {cover?.startsWith('/media/files/') && <img class="office-cover" src={cover} alt="" />}
    <h2>{title}</h2>
    <div dangerouslySetInnerHTML={{ __html: html }} />
  </article>
);

const previewPost: Act['preview'] = async ({ api }, { title = '', body = '' }) => {
  const { body_html } = await api.previewPost({ body: { body } });
  return <PostText title={title || 'Sem título'} html={body_html} />;
};

const write: Act = {
  path: '/posts/novo',
  call: 'createPost',
  title: 'Escrever post',
  back: '/posts',
  fields: [
    {
      name: 'slug',
      label: 'Endereço',
      hint: 'Letras minúsculas e hífens: como-funciona-o-cet.',
      maxLength: 120,
    },
    ...postFields(),
  ],
  preview: previewPost,
  button: 'Salvar',
  async run({ api }, sent) {
    const { slug } = await api.createPost({ body: { slug: sent.text('slug'), ...postBody(sent) } });
    return { note: 'Post salvo.', to: `/posts/${slug}` };
  },
};

const edit: Act = {
  path: `${POST_PATH}/editar`,
  call: 'changePost',
  title: 'Editar',
  back: POST_PATH,
  async fields({ api, params }) {
    const read = await api.call('getPostForStaff', { path: { slug: params.slug! } });
    return [version(read), ...postFields(read.data)];
  },
  preview: previewPost,
  button: 'Salvar',
  async run({ api, params }, sent) {
    await api.changePost({ path: { slug: params.slug! }, body: postBody(sent), ...ifMatch(sent) });
    return 'Post salvo.';
  },
};

const remove: Act = {
  path: `${POST_PATH}/remover`,
  call: 'removePost',
  title: 'Remover',
  back: '/posts',
  figures: async () => <p>Sai do site e da lista. Para só esconder, edite e deixe a data em branco.</p>,
  button: 'Remover post',
  async run({ api, params }) {
    await api.removePost({ path: { slug: params.slug! } });
    return 'Post removido.';
  },
};

export const postPage: MakeOfficePage = async (visit) => {
  const post = await visit.api.getPostForStaff({ path: { slug: visit.params.slug! } });
  const { body_html } = await visit.api.previewPost({ body: { body: post.body } });
  return {
    body: (
      <OfficeLayout
        title="Post"
        heading={post.title}
        visit={visit}
        crumbs={[{ href: '/posts', text: 'Posts' }]}
        actions={<ActLinks visit={visit} acts={[edit, cover, remove]} />}
      >
        <Facts
          of={[
            ['Endereço', post.slug],
            ['Autor', post.author],
            ['Etiquetas', post.tags.join(', ') || 'nenhuma'],
            ['Publicado', post.published_at ? <When key="p" at={post.published_at} /> : 'rascunho'],
          ]}
        />
        <p>{post.summary}</p>
        <PostText title={post.title} cover={post.cover_url} html={body_html} />
      </OfficeLayout>
    ),
  };
};

const approveReturn: Act = {
  path: `${RETURN_PATH}/aprovar`,
  call: 'approveReturn',
  title: 'Aprovar devolução',
  back: RETURN_PATH,
  figures: async () => <p>O que foi pago a mais volta ao cliente por PIX, agora.</p>,
  button: 'Aprovar',
  async run({ api, params }) {
    await api.approveReturn({ path: { id: params.id! } });
    return 'Devolução aprovada.';
  },
};

const refuseReturn: Act = {
  path: `${RETURN_PATH}/recusar`,
  call: 'refuseReturn',
  title: 'Recusar devolução',
  back: RETURN_PATH,
  fields: [reason],
  button: 'Recusar',
  async run({ api, params }, sent) {
    await api.refuseReturn({ path: { id: params.id! }, body: { reason: sent.text('reason') } });
    return 'Devolução recusada.';
  },
};

export const returnPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listReturnsThatWaited({ query: { limit: 100 } });
  const found = data.find(({ id }) => id === visit.params.id);
  if (!found) return { to: '/devolucoes' };
  return {
    body: (
      <OfficeLayout
        title="Devolução"
        visit={visit}
        crumbs={[{ href: '/devolucoes', text: 'Devoluções' }]}
        actions={
          found.status === 'waiting' && <ActLinks visit={visit} acts={[approveReturn, refuseReturn]} />
        }
      >
        <Facts
          of={[
            ['Loja', found.merchant.name],
            ['Valor', <Money key="v" of={found.amount} />],
            ['Situação', <Status key="s" of={found.status} names={RETURN} />],
            ['Motivo', found.reason],
            ['Pedida', <When key="w" at={found.asked_at} />],
            [
              'Compra',
              <a key="c" href={`/compras/${found.checkout_hash}`}>
                <Code>{found.checkout_hash}</Code>
              </a>,
            ],
            found.refusal ? ['Por que foi recusada', found.refusal] : undefined,
          ]}
        />
      </OfficeLayout>
    ),
  };
};

export const CONTENT_ACTS: readonly Act[] = [
  handle,
  handled,
  write,
  edit,
  remove,
  approveReturn,
  refuseReturn,
];
