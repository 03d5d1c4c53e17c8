import { resourceDefaults } from '@roster/contract';
import { defaultOfType, writtenColumns } from '../shared/resource-columns.ts';

export const {
  merged: mergedColumn,
  mergedColumns,
  newColumns,
} = writtenColumns({
  display_name: 's.name',
  product: `${defaultOfType('product')}, :product`,
  alertable: `${defaultOfType('alertable')}, :alertable`,
  state: ':state',
  sku: ':sku',
  gpu_model: ':gpuModel',
  alert_rules_count: ':alertRulesCount',
  create_time: ':now',
});

/** The parameters of the expressions above. */
export function defaultParameters(): Record<string, string | number> {
  return {
    ...resourceDefaults,
    alertable: Number(resourceDefaults.alertable),
    now: new Date().toISOString(),
  };
}
