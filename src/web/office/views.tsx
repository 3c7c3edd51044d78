import { Field } from '../ui/field.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import type { ListId, StaffSchemas } from './staff/client.ts';
import type { OfficeForm, OfficeVisit } from './visit.ts';

const SAVE = 'guardar-visao';
const REMOVE = 'remover-visao';

/** The person's views of this list, and a form to keep the one that is shown. */
export function Views(props: {
  visit: OfficeVisit;
  path: string;
  views: ReadonlyArray<StaffSchemas['SavedView']>;
  filter: Record<string, string>;
}) {
  const { visit, path, views, filter } = props;
  const shown = String(new URLSearchParams(filter));
  return (
    <div class="office-views">
      {views.length > 0 && (
        <nav aria-label="Visões guardadas">
          <ul>
            {views.map(({ id, name, query }) => (
              <li key={id}>
                <a href={`${path}?${query}`} aria-current={query === shown ? 'page' : undefined}>
                  {name}
                </a>
                <PostForm visit={visit} action={`${path}/${REMOVE}`}>
                  <input type="hidden" name="query" value={shown} />
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
      <details open={visit.flash?.faults !== undefined}>
        <summary>Guardar esta visão</summary>
        <PostForm visit={visit} action={`${path}/${SAVE}`}>
          <input type="hidden" name="query" value={shown} />
          <Field {...fieldsOf(visit.flash)('name')} label="Nome da visão" maxLength={60} />
          <button class="button small" type="submit">
            Guardar
          </button>
        </PostForm>
      </details>
    </div>
  );
}

export function viewForms({ path, call }: { path: string; call: ListId }): Record<string, OfficeForm> {
  const form = (act: OfficeForm['act']): OfficeForm => ({
    page: path,
    query: (sent) => sent.text('query'),
    act,
  });
  const shown = (query: string, note: string) => ({ to: `${path}?${query}`, flash: { page: path, note } });
  return {
    [`${path}/${SAVE}`]: form(async ({ api }, sent) => {
      const query = sent.text('query');
      const { name } = await api.saveView({ body: { list: call, name: sent.text('name'), query } });
      return shown(query, `Visão “${name}” guardada. Só você a vê.`);
    }),
    [`${path}/${REMOVE}`]: form(async ({ api }, sent) => {
      await api.removeSavedView({ path: { id: sent.text('id') } });
      return shown(sent.text('query'), 'Visão removida.');
    }),
  };
}
