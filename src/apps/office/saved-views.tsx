import type { ListId, StaffSchemas } from '#staff-client';
import { redirectWithNote } from '../server/form.ts';
import { Submit } from '../ui/buttons.tsx';
import { createFieldLookup, Field, HiddenInputs, PostForm } from '../ui/forms.tsx';
import type { OfficeFormHandler, OfficeVisit } from './visit.ts';

const SAVE_PATH = 'guardar-visao';
const REMOVE_PATH = 'remover-visao';

export function SavedViews(props: {
  visit: OfficeVisit;
  path: string;
  views: ReadonlyArray<StaffSchemas['SavedView']>;
  filterValues: Record<string, string>;
}) {
  const { visit, path, views, filterValues } = props;
  const currentQuery = String(new URLSearchParams(filterValues));
  return (
    <div class="office-views">
      {views.length > 0 && (
        <nav aria-label="Visões guardadas">
          <ul>
            {views.map(({ id, name, query }) => (
              <li key={id}>
                <a href={`${path}?${query}`} aria-current={query === currentQuery ? 'page' : undefined}>
                  {name}
                </a>
                <PostForm visit={visit} action={`${path}/${REMOVE_PATH}`}>
                  <HiddenInputs values={{ query: currentQuery }} />
                  <button
                    class="link"
                    type="submit"
                    name="id"
                    value={id}
                    aria-label={`Remover a visão ${name}`}
                  >
                    ×
                  </button>
                </PostForm>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <details open={visit.flash?.errors !== undefined}>
        <summary>Guardar esta visão</summary>
        <PostForm visit={visit} action={`${path}/${SAVE_PATH}`}>
          <input type="hidden" name="query" value={currentQuery} />
          <Field {...createFieldLookup(visit.flash)('name')} label="Nome da visão" maxLength={60} />
          <Submit class="small">Guardar</Submit>
        </PostForm>
      </details>
    </div>
  );
}

export function createViewForms({ path, operation }: { path: string; operation: ListId }) {
  const defineForm = (handle: OfficeFormHandler['handle']): OfficeFormHandler => ({
    pageRoute: path,
    buildPageQuery: (form) => form.readText('query'),
    handle,
  });
  return {
    [`${path}/${SAVE_PATH}`]: defineForm(async ({ api }, form) => {
      const query = form.readText('query');
      const { name } = await api.saveView({ body: { list: operation, name: form.readText('name'), query } });
      return redirectWithNote(`${path}?${query}`, `Visão “${name}” guardada. Só você a vê.`);
    }),
    [`${path}/${REMOVE_PATH}`]: defineForm(async ({ api }, form) => {
      await api.removeSavedView({ path: { id: form.readText('id') } });
      return redirectWithNote(`${path}?${form.readText('query')}`, 'Visão removida.');
    }),
  };
}
