// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const customer_notes = {
  customer_id: column.text(),
  id: column.text(),
  author: column.text(),
  text: column.bytea().nullable(),
  written_at: column.timestamptz(),
};

export const saved_views = {
  id: column.text(),
  person_id: column.text(),
  list: column.text(),
  name: column.text(),
  query: column.text(),
  saved_at: column.timestamptz(),
};
