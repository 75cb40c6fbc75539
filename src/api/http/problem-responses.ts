import { PROBLEM_TYPE, Problem } from './problem.ts'

/** Response schemas for the errors a route answers. */
export const problemResponses = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map(status => [
      status,
      { description: 'Problem details', content: { [PROBLEM_TYPE]: { schema: Problem } } }
    ])
  )
