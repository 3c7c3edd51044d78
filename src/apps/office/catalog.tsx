import type { StaffSchemas } from '#staff-client';
import { defineAct, type FieldDeclaration } from './act.tsx';
import { field } from './columns.tsx';
import { YES_NO_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Facts, TableSection } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

const CATEGORY_PATH = '/categorias/:slug';
const FAQ_PATH = '/perguntas/:id';

export const addCategory = defineAct({
  path: '/categorias/nova',
  call: 'createCategory',
  title: 'Nova categoria',
  fields: [{ name: 'slug', hint: 'Letras minúsculas e hífens: material-escolar.', maxLength: 80 }, 'name'],
  button: 'Criar categoria',
  success: 'Categoria criada.',
});

export const renameCategory = defineAct({
  path: `${CATEGORY_PATH}/editar`,
  call: 'changeCategory',
  title: 'Mudar o nome',
  editedRecord: 'getCategoryForStaff',
  fields: ({ name }) => [{ name: 'name', value: name }],
  button: 'Salvar',
  success: 'Categoria salva. O site mostra em um segundo.',
});

export const removeCategory = defineAct({
  path: `${CATEGORY_PATH}/remover`,
  call: 'removeCategory',
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
      acts={[renameCategory, removeCategory]}
    >
      <Facts record={category} rows={['slug']} />
      <TableSection
        title="Lojas"
        moreLink={{ href: `/lojas?category=${category.slug}`, text: 'Todas' }}
        rows={merchants.data}
        rowHref={({ slug }) => `/lojas/${slug}`}
        columns={[field('name', 'Loja'), field('listed', 'No site', { labels: YES_NO_LABELS })]}
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

export const addFaq = defineAct({
  path: '/perguntas/nova',
  call: 'createFaqEntry',
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

export const editFaq = defineAct({
  path: `${FAQ_PATH}/editar`,
  call: 'changeFaqEntry',
  title: 'Editar',
  editedRecord: 'getFaqEntryForStaff',
  fields: createFaqFields,
  button: 'Salvar',
  success: 'Pergunta salva. O site mostra em um segundo.',
});

export const removeFaq = defineAct({
  path: `${FAQ_PATH}/remover`,
  call: 'removeFaqEntry',
  title: 'Remover',
  backPath: '/perguntas',
  description: 'Sai do site e da lista. Para só esconder, edite e tire do site.',
  button: 'Remover pergunta',
  success: 'Pergunta removida.',
});

export const faqPage: OfficePageHandler = async (visit) => {
  const entry = await visit.api.getFaqEntryForStaff({ path: { id: visit.params.id! } });
  return (
    <RecordLayout title="Pergunta" heading={entry.question} visit={visit} acts={[editFaq, removeFaq]}>
      <Facts
        record={entry}
        rows={['topic', ['Posição', entry.position], field('listed', 'No site', { labels: YES_NO_LABELS })]}
      />
      <p class="office-text">{entry.answer}</p>
    </RecordLayout>
  );
};
