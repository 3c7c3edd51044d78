import type { StaffSchemas } from '#staff-client';
import { formatSaoPauloTime } from '../text/format.ts';
import { type Action, defineAction, type FieldDeclaration } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { LEAD_KIND_LABELS, LEAD_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { createMerchantFromLead } from './merchant.tsx';
import { DescriptionList, TableSection, withTitle } from './tables.tsx';
import { setPostCover } from './uploads.tsx';
import type { OfficePageHandler } from './visit.ts';

const CATEGORY_PATH = '/categorias/:slug';
const FAQ_PATH = '/perguntas/:id';
const LEAD_PATH = '/contatos/:id';
const POST_PATH = '/posts/:slug';

export const addCategory = defineAction({
  path: '/categorias/nova',
  operation: 'createCategory',
  title: 'Nova categoria',
  fields: [{ name: 'slug', hint: 'Letras minúsculas e hífens: material-escolar.', maxLength: 80 }, 'name'],
  button: 'Criar categoria',
  success: 'Categoria criada.',
});

export const renameCategory = defineAction({
  path: `${CATEGORY_PATH}/editar`,
  operation: 'changeCategory',
  title: 'Mudar o nome',
  editedRecordOperation: 'getCategoryForStaff',
  fields: ({ name }) => [{ name: 'name', value: name }],
  button: 'Salvar',
  success: 'Categoria salva. O site mostra em um segundo.',
});

export const removeCategory = defineAction({
  path: `${CATEGORY_PATH}/remover`,
  operation: 'removeCategory',
  title: 'Remover',
  backPath: '/categorias',
  description: 'Só se remove uma categoria sem lojas.',
  button: 'Remover categoria',
  success: 'Categoria removida.',
});

export const categoryPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  const [category, merchants] = await Promise.all([
    api.getCategoryForStaff({ path: { slug: params.slug! } }),
    api.listMerchantForStaff({ query: { category: params.slug!, limit: 20 } }),
  ]);
  return (
    <RecordLayout
      title="Categoria"
      heading={category.name}
      visit={visit}
      actions={[renameCategory, removeCategory]}
    >
      <DescriptionList record={category} rows={['slug']} />
      <TableSection
        title="Lojas"
        moreLink={{ href: `/lojas?category=${category.slug}`, text: 'Todas' }}
        rows={merchants.data}
        rowHref={({ slug }) => `/lojas/${slug}`}
        columns={[withTitle('name', 'Loja'), 'listed']}
      />
    </RecordLayout>
  );
};

const createFaqFields = (entry?: StaffSchemas['StaffFaqEntry']): FieldDeclaration[] => [
  { name: 'question', value: entry?.question },
  { name: 'topic', hint: 'Letras minúsculas e hífens: custos.', value: entry?.topic },
  { name: 'answer', value: entry?.answer, rows: 8 },
  { name: 'listed', value: String(entry?.listed ?? true) },
];

export const addFaq = defineAction({
  path: '/perguntas/nova',
  operation: 'createFaqEntry',
  title: 'Nova pergunta',
  fields: [
    { name: 'id', label: 'Nome curto', hint: 'Letras minúsculas e hífens: o-que-e-cet.', maxLength: 80 },
    ...createFaqFields(),
  ],
  button: 'Salvar',
  success: ({ id }) => ({
    note: 'Pergunta salva. O site mostra em um segundo.',
    redirectTo: `/perguntas/${id}`,
  }),
});

export const editFaq = defineAction({
  path: `${FAQ_PATH}/editar`,
  operation: 'changeFaqEntry',
  title: 'Editar',
  editedRecordOperation: 'getFaqEntryForStaff',
  fields: createFaqFields,
  button: 'Salvar',
  success: 'Pergunta salva. O site mostra em um segundo.',
});

export const removeFaq = defineAction({
  path: `${FAQ_PATH}/remover`,
  operation: 'removeFaqEntry',
  title: 'Remover',
  backPath: '/perguntas',
  description: 'Sai do site e da lista. Para só esconder, edite e tire do site.',
  button: 'Remover pergunta',
  success: 'Pergunta removida.',
});

export const faqPage: OfficePageHandler = async (visit) => {
  const entry = await visit.api.getFaqEntryForStaff({ path: { id: visit.params.id! } });
  return (
    <RecordLayout title="Pergunta" heading={entry.question} visit={visit} actions={[editFaq, removeFaq]}>
      <DescriptionList record={entry} rows={['topic', 'position', 'listed']} />
      <p class="office-text">{entry.answer}</p>
    </RecordLayout>
  );
};

export const editLead = defineAction({
  path: `${LEAD_PATH}/atender`,
  operation: 'changeLead',
  title: 'Anotar e mudar situação',
  editedRecordOperation: 'getLead',
  fields: ({ status, note }) => [
    { name: 'status', choices: LEAD_LABELS, value: status },
    { name: 'note', rows: 4, value: note ?? '', optional: true },
  ],
  button: 'Salvar',
  success: 'Contato salvo.',
});

export const markLeadHandled = defineAction({
  path: `${LEAD_PATH}/atendido`,
  operation: 'changeLead',
  title: 'Marcar como atendido',
  body: () => ({ status: 'handled' as const }),
  success: 'Contato atendido.',
});

export const leadPage: OfficePageHandler = async (visit) => {
  const lead = await visit.api.getLead({ path: { id: visit.params.id! } });
  return (
    <RecordLayout
      title="Contato"
      heading={lead.name}
      visit={visit}
      actions={[editLead, ...(lead.status === 'new' ? [markLeadHandled, createMerchantFromLead] : [])]}
    >
      <PendingApproval approval={lead.approval} />
      <DescriptionList
        record={lead}
        rows={[
          'kind',
          'status',
          'email',
          'phone',
          'company',
          withTitle('received_at', 'Recebido'),
          'message',
          'note',
        ]}
        labels={{ kind: LEAD_KIND_LABELS, status: LEAD_LABELS }}
        emptyTexts={{
          email: 'nenhum',
          phone: 'nenhum',
          company: 'nenhuma',
          message: 'nenhuma',
          note: 'nenhuma',
        }}
      />
    </RecordLayout>
  );
};

/** Returns the local time of São Paulo in the format of a datetime-local input. */
const toDateTimeLocal = (instant: string | null) =>
  instant === null ? '' : formatSaoPauloTime(instant).slice(0, 16).replace(' ', 'T');

const createPostFields = (post?: StaffSchemas['StaffPost']): FieldDeclaration[] => [
  { name: 'title', value: post?.title },
  { name: 'summary', value: post?.summary, rows: 2 },
  { name: 'author', value: post?.author },
  { name: 'tags', hint: 'Separadas por vírgula.', value: post?.tags.join(', '), optional: true },
  {
    name: 'published_at',
    label: 'Publicar em',
    hint: 'Hora de São Paulo. No futuro fica agendado; em branco é rascunho.',
    value: toDateTimeLocal(post?.published_at ?? null),
    optional: true,
  },
  { name: 'body', label: 'Texto, em Markdown', value: post?.body, rows: 18 },
];

/** The HTML is safe: the service sanitized it. The content security policy allows no pictures of other sites. */
const PostText = ({ title, cover, html }: { title: string; cover?: string | null; html: string }) => (
  <article class="prose office-post">
    {cover?.startsWith('/media/files/') && <img class="office-cover" src={cover} alt="" />}
    <h2>{title}</h2>
    <div dangerouslySetInnerHTML={{ __html: html }} />
  </article>
);

const previewPost: Action['preview'] = async ({ api }, { title = '', body = '' }) => {
  const { body_html } = await api.previewPost({ body: { body } });
  return <PostText title={title || 'Sem título'} html={body_html} />;
};

export const writePost = defineAction({
  path: '/posts/novo',
  operation: 'createPost',
  title: 'Escrever post',
  fields: [
    { name: 'slug', hint: 'Letras minúsculas e hífens: como-funciona-o-cet.', maxLength: 120 },
    ...createPostFields(),
  ],
  preview: previewPost,
  button: 'Salvar',
  success: ({ slug }) => ({ note: 'Post salvo.', redirectTo: `/posts/${slug}` }),
});

export const editPost = defineAction({
  path: `${POST_PATH}/editar`,
  operation: 'changePost',
  title: 'Editar',
  editedRecordOperation: 'getPostForStaff',
  fields: createPostFields,
  preview: previewPost,
  button: 'Salvar',
  success: 'Post salvo.',
});

export const removePost = defineAction({
  path: `${POST_PATH}/remover`,
  operation: 'removePost',
  title: 'Remover',
  backPath: '/posts',
  description: 'Sai do site e da lista. Para só esconder, edite e deixe a data em branco.',
  button: 'Remover post',
  success: 'Post removido.',
});

export const postPage: OfficePageHandler = async (visit) => {
  const post = await visit.api.getPostForStaff({ path: { slug: visit.params.slug! } });
  const { body_html } = await visit.api.previewPost({ body: { body: post.body } });
  return (
    <RecordLayout
      title="Post"
      heading={post.title}
      visit={visit}
      actions={[editPost, setPostCover, removePost]}
    >
      <DescriptionList
        record={post}
        rows={[
          'slug',
          'author',
          ['Etiquetas', post.tags.join(', ') || 'nenhuma'],
          withTitle('published_at', 'Publicado', { emptyText: 'rascunho' }),
        ]}
      />
      <p>{post.summary}</p>
      <PostText title={post.title} cover={post.cover_url} html={body_html} />
    </RecordLayout>
  );
};
