/** Any JSON value. Money never appears as `number`: it is a decimal string. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
