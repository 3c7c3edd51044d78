import type { Sent } from '../server/visit.ts';
import { type Act, type ActField, act, reason } from './act.tsx';
import { moment, money, state, text } from './columns.tsx';
import { LEAD, RETURN } from './lists/names.ts';
import { makeMerchant } from './merchant-acts.tsx';
import { Code } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts } from './tables.tsx';
import { instantIn, typed } from './typed.ts';
import { cover } from './uploads.tsx';
import type { MakeOfficePage } from './visit.ts';

const LEAD_PATH = '/contatos/:id';
const POST_PATH = '/posts/:slug';
const RETURN_PATH = '/devolucoes/:id';

export const handle = act({
  path: `${LEAD_PATH}/atender`,
  call: 'changeLead',
  title: 'Anotar e mudar situação',
  edits: 'getLead',
  fields: ({ status, note }) => [
    { name: 'status', label: 'Situação', choices: LEAD, value: status },
    { name: 'note', label: 'Anotação', rows: 4, value: note ?? '', optional: true, maxLength: 2000 },
  ],
  button: 'Salvar',
  body: (sent) => ({
    status: sent.text('status') === 'handled' ? 'handled' : 'new',
    note: sent.text('note') || null,
  }),
  done: 'Contato salvo.',
});

export const handled = act({
  path: `${LEAD_PATH}/atendido`,
  call: 'changeLead',
  title: 'Marcar como atendido',
  body: () => ({ status: 'handled' as const }),
  done: 'Contato atendido.',
});

export const leadPage: MakeOfficePage = async (visit) => {
  const lead = await visit.api.getLead({ path: { id: visit.params.id! } });
  return (
    <RecordLayout
      title="Contato"
      heading={lead.name}
      visit={visit}
      acts={[handle, ...(lead.status === 'new' ? [handled, makeMerchant] : [])]}
    >
      <Facts
        of={lead}
        are={[
          text('Tipo', 'kind'),
          state('Situação', 'status', LEAD),
          text('E-mail', 'email', 'nenhum'),
          text('Telefone', 'phone', 'nenhum'),
          text('Empresa', 'company', 'nenhuma'),
          moment('Recebido', 'received_at'),
          text('Mensagem', 'message', 'nenhuma'),
          text('Anotação', 'note', 'nenhuma'),
        ]}
      />
    </RecordLayout>
  );
};

const localTime = (at: string | null) =>
  at === null ? '' : new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 16);

const postIn = (sent: Sent) => ({
  ...typed(sent, 'title', 'summary', 'author', 'body'),
  tags: sent
    .text('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean),
  // Empty is a draft.
  published_at: instantIn(sent, 'published_at'),
});

const postFields = (post?: StaffSchemas['StaffPost']): ActField[] => [
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
    type: 'datetime-local',
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

export const writePost = act({
  path: '/posts/novo',
  call: 'createPost',
  title: 'Escrever post',
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
  body: (sent) => ({ slug: sent.text('slug'), ...postIn(sent) }),
  done: ({ slug }) => ({ note: 'Post salvo.', to: `/posts/${slug}` }),
});

export const editPost = act({
  path: `${POST_PATH}/editar`,
  call: 'changePost',
  title: 'Editar',
  edits: 'getPostForStaff',
  fields: postFields,
  preview: previewPost,
  button: 'Salvar',
  body: postIn,
  done: 'Post salvo.',
});

export const removePost = act({
  path: `${POST_PATH}/remover`,
  call: 'removePost',
  title: 'Remover',
  back: '/posts',
  says: 'Sai do site e da lista. Para só esconder, edite e deixe a data em branco.',
  button: 'Remover post',
  done: 'Post removido.',
});

export const postPage: MakeOfficePage = async (visit) => {
  const post = await visit.api.getPostForStaff({ path: { slug: visit.params.slug! } });
  const { body_html } = await visit.api.previewPost({ body: { body: post.body } });
  return (
    <RecordLayout title="Post" heading={post.title} visit={visit} acts={[editPost, cover, removePost]}>
      <Facts
        of={post}
        are={[
          text('Endereço', 'slug'),
          text('Autor', 'author'),
          ['Etiquetas', post.tags.join(', ') || 'nenhuma'],
          moment('Publicado', 'published_at', 'rascunho'),
        ]}
      />
      <p>{post.summary}</p>
      <PostText title={post.title} cover={post.cover_url} html={body_html} />
    </RecordLayout>
  );
};

export const approveReturn = act({
  path: `${RETURN_PATH}/aprovar`,
  call: 'approveReturn',
  title: 'Aprovar devolução',
  says: 'O que foi pago a mais volta ao cliente por PIX, agora.',
  button: 'Aprovar',
  done: 'Devolução aprovada.',
});

export const refuseReturn = act({
  path: `${RETURN_PATH}/recusar`,
  call: 'refuseReturn',
  title: 'Recusar devolução',
  fields: [reason],
  button: 'Recusar',
  body: (sent) => typed(sent, 'reason'),
  done: 'Devolução recusada.',
});

export const returnPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listReturnsThatWaited({ query: { limit: 100 } });
  const found = data.find(({ id }) => id === visit.params.id);
  if (!found) return { to: '/devolucoes' };
  const { checkout_hash: hash } = found;
  return (
    <RecordLayout
      title="Devolução"
      visit={visit}
      acts={found.status === 'waiting' && [approveReturn, refuseReturn]}
    >
      <Facts
        of={found}
        are={[
          text('Loja', 'merchant.name'),
          money('Valor', 'amount'),
          state('Situação', 'status', RETURN),
          text('Motivo', 'reason'),
          moment('Pedida', 'asked_at'),
          ['Compra', <Code key="c">{hash}</Code>, `/compras/${hash}`],
          found.refusal && text('Por que foi recusada', 'refusal'),
        ]}
      />
    </RecordLayout>
  );
};
