import { ReadLimit } from '../read-limit.ts'

/** The ceilings that are counted down over all parts of one file. */
export interface Budget {
  characters: number
  nodes: number
}

/** Takes elements and characters off the budget; throws a ReadLimit when it is used up. */
export function spend(budget: Budget, nodes: number, characters: number): void {
  budget.nodes -= nodes
  budget.characters -= characters
  if (budget.nodes < 0 || budget.characters < 0) throw new ReadLimit('limit_text', 'more content than is read')
}
