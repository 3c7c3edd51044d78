/** Keys of staff belong to this partner. */
export const OPERATOR = 'Operator';
