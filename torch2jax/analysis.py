"""Facts and plan of one file: its effects normalized in torch's own words, then what is known, then what is decided."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.bindings import find_bound
from torch2jax.facts.effects import analyse_effects
from torch2jax.facts.evaluation import find_evaluations
from torch2jax.facts.freezing import find_freezing
from torch2jax.facts.gradient_reads import left_to_callers
from torch2jax.facts.hooks import takes_hooks
from torch2jax.facts.infer import SITES, Memory, OtherValues, Values, infer_values, stored_elsewhere
from torch2jax.facts.listed_parts import exchanges_functions, lists_parts, lists_parts_of_others
from torch2jax.facts.mode_contexts import left_contexts
from torch2jax.facts.module_state import early_methods
from torch2jax.facts.parallel import find_parallel
from torch2jax.facts.parameter_loops import find_parameter_loops
from torch2jax.facts.replaced_submodules import find_opened, find_replaced_parts
from torch2jax.facts.scheduler_objects import find_schedules
from torch2jax.facts.steps import find_steps
from torch2jax.facts.tensor_settings import Sources, collect_settings, find_array_fields, find_tensor_settings
from torch2jax.facts.torch_names import names_of_torch
from torch2jax.facts.training import Flows
from torch2jax.lower_control.control import normalize_control
from torch2jax.lower_control.custom_gradients import normalize_imported_classes
from torch2jax.lower_control.time_steps import normalize_time_steps
from torch2jax.lower_control.transforms import Normalized, normalize_transforms, note_origins, placed
from torch2jax.normalize.absent_classes import normalize_absent_classes
from torch2jax.normalize.absent_packages import normalize_absent_packages
from torch2jax.normalize.accelerators import normalize_accelerators
from torch2jax.normalize.added_groups import normalize_added_groups
from torch2jax.normalize.apex_amp import normalize_apex_amp
from torch2jax.normalize.appended_parameters import normalize_appended_parameters
from torch2jax.normalize.applied_functions import normalize_applied_functions
from torch2jax.normalize.applied_parts import normalize_applied_parts
from torch2jax.normalize.autocast_names import normalize_autocast_names
from torch2jax.normalize.averaged_gradients import normalize_averaged_gradients
from torch2jax.normalize.bare_modules import normalize_bare_modules
from torch2jax.normalize.buffer_loops import normalize_buffer_loops
from torch2jax.normalize.called_operators import normalize_called_operators
from torch2jax.normalize.chained_flags import normalize_chained_flags
from torch2jax.normalize.chained_stores import normalize_chained_stores
from torch2jax.normalize.changed_modules import normalize_changed_modules
from torch2jax.normalize.changed_parameters import normalize_changed_parameters
from torch2jax.normalize.chosen_classes import normalize_chosen_classes
from torch2jax.normalize.chosen_contexts import normalize_chosen_contexts
from torch2jax.normalize.chosen_defaults import normalize_chosen_defaults
from torch2jax.normalize.class_counters import normalize_class_counters
from torch2jax.normalize.closure_steps import normalize_closure_steps, normalize_steps_within_lines
from torch2jax.normalize.collected_parts import normalize_collected_parts
from torch2jax.normalize.common_endings import normalize_common_endings
from torch2jax.normalize.conditional_statements import normalize_conditional_statements
from torch2jax.normalize.counted_modules import normalize_counted_modules
from torch2jax.normalize.cut_variables import normalize_cut_variables
from torch2jax.normalize.devices import normalize_devices
from torch2jax.normalize.dict_records import normalize_dict_records
from torch2jax.normalize.differentiated_lambdas import normalize_differentiated_lambdas
from torch2jax.normalize.early_losses import normalize_early_losses
from torch2jax.normalize.early_reads import normalize_early_reads
from torch2jax.normalize.element_numbers import normalize_element_numbers
from torch2jax.normalize.element_sums import normalize_element_sums
from torch2jax.normalize.evaluated_texts import normalize_evaluated_texts
from torch2jax.normalize.field_setters import normalize_field_setters
from torch2jax.normalize.filled_dicts import normalize_filled_dicts
from torch2jax.normalize.finally_results import normalize_finally_results
from torch2jax.normalize.flag_helpers import normalize_flag_helpers
from torch2jax.normalize.flags_by_name import normalize_flags_by_name
from torch2jax.normalize.flat_parameters import normalize_flat_parameters
from torch2jax.normalize.flattened_lists import normalize_flattened_lists
from torch2jax.normalize.folded_modules import normalize_folded_modules
from torch2jax.normalize.forward_hooks import normalize_forward_hooks
from torch2jax.normalize.frozen_sources import normalize_frozen_sources
from torch2jax.normalize.functional_norms import normalize_functional_norms
from torch2jax.normalize.getters import normalize_getters
from torch2jax.normalize.given_gradients import normalize_given_gradients
from torch2jax.normalize.given_initializers import normalize_given_initializers
from torch2jax.normalize.given_namespaces import normalize_given_namespaces
from torch2jax.normalize.given_parameters import normalize_given_parameters
from torch2jax.normalize.given_weights import normalize_given_weights
from torch2jax.normalize.gradient_changes import normalize_gradient_changes
from torch2jax.normalize.gradient_clears import normalize_gradient_clears
from torch2jax.normalize.gradient_lists import normalize_gradient_lists
from torch2jax.normalize.gradient_loops import (
    normalize_foreign_loops,
    normalize_gradient_loops,
    normalize_group_loops,
)
from torch2jax.normalize.gradient_modes import normalize_gradient_modes
from torch2jax.normalize.gradient_readers import normalize_gradient_readers
from torch2jax.normalize.gradient_spellings import normalize_gradient_spellings
from torch2jax.normalize.gradient_switches import normalize_gradient_switches
from torch2jax.normalize.grown_sequentials import normalize_grown_sequentials
from torch2jax.normalize.guarded_casts import normalize_guarded_casts
from torch2jax.normalize.hand_updates import normalize_hand_updates
from torch2jax.normalize.handed_back import normalize_handed_back
from torch2jax.normalize.handed_clears import normalize_handed_clears
from torch2jax.normalize.held_containers import normalize_held_containers
from torch2jax.normalize.helper_loops import normalize_helper_loops
from torch2jax.normalize.hoisted_updates import normalize_hoisted_updates
from torch2jax.normalize.host_lists import normalize_host_lists
from torch2jax.normalize.host_numbers import normalize_host_numbers
from torch2jax.normalize.idle_leaves import normalize_idle_leaves
from torch2jax.normalize.idle_modes import normalize_idle_modes
from torch2jax.normalize.initializers import normalize_initializers
from torch2jax.normalize.inplace_expressions import normalize_inplace_expressions
from torch2jax.normalize.inplace_flags import normalize_inplace_flags
from torch2jax.normalize.inplace_settings import normalize_inplace_settings
from torch2jax.normalize.joined_parameters import (
    normalize_changed_pairs,
    normalize_joined_parameters,
    normalize_parameter_lists,
)
from torch2jax.normalize.joined_passes import normalize_joined_passes
from torch2jax.normalize.kept_arguments import normalize_kept_arguments
from torch2jax.normalize.kept_graphs import normalize_kept_graphs
from torch2jax.normalize.kept_modules import normalize_kept_modules
from torch2jax.normalize.kept_on_the_way import normalize_kept_on_the_way
from torch2jax.normalize.kept_optimizers import normalize_kept_optimizers
from torch2jax.normalize.kept_parameters import normalize_kept_parameters
from torch2jax.normalize.keyed_parts import normalize_keyed_parts
from torch2jax.normalize.large_numbers import normalize_large_numbers
from torch2jax.normalize.layer_mixins import with_methods_of_mixins
from torch2jax.normalize.layer_subclasses import with_layer_bases
from torch2jax.normalize.layer_wrappers import normalize_layer_wrappers
from torch2jax.normalize.layers_by_name import normalize_layers_by_name
from torch2jax.normalize.leaf_fields import normalize_leaf_fields
from torch2jax.normalize.leaving_branches import normalize_leaving_branches
from torch2jax.normalize.left_modes import normalize_left_modes
from torch2jax.normalize.lent_modules import normalize_lent_modules, normalize_unnamed_objects
from torch2jax.normalize.library_callers import normalize_library_callers
from torch2jax.normalize.library_helpers import with_library_helpers
from torch2jax.normalize.library_seeds import normalize_library_seeds
from torch2jax.normalize.listed_fields import normalize_listed_fields
from torch2jax.normalize.listed_modules import normalize_listed_modules
from torch2jax.normalize.load_messages import normalize_load_messages
from torch2jax.normalize.logged_rounds import normalize_logged_rounds
from torch2jax.normalize.looking_objects import normalize_looking_objects
from torch2jax.normalize.loss_modules import normalize_loss_modules
from torch2jax.normalize.loss_scaling import normalize_loss_scaling
from torch2jax.normalize.losses_ahead import normalize_losses_ahead
from torch2jax.normalize.mapped_modules import normalize_mapped_modules
from torch2jax.normalize.matmul_assign import normalize_products
from torch2jax.normalize.method_fields import normalize_method_fields
from torch2jax.normalize.method_pickers import normalize_method_pickers
from torch2jax.normalize.methods_of_init import normalize_methods_of_init
from torch2jax.normalize.mode_calls import normalize_mode_calls
from torch2jax.normalize.mode_contexts import normalize_mode_contexts
from torch2jax.normalize.modes_at_init import normalize_modes_at_init
from torch2jax.normalize.module_aliases import normalize_module_aliases
from torch2jax.normalize.module_arguments import normalize_made_arguments
from torch2jax.normalize.module_calls import normalize_module_calls
from torch2jax.normalize.module_casts import normalize_module_casts
from torch2jax.normalize.module_readers import normalize_module_readers
from torch2jax.normalize.module_results import normalize_made_results
from torch2jax.normalize.module_tables import normalize_module_tables
from torch2jax.normalize.moved_arguments import normalize_moved_arguments
from torch2jax.normalize.moved_states import normalize_moved_states
from torch2jax.normalize.named_inputs import normalize_named_inputs
from torch2jax.normalize.named_keywords import normalize_named_keywords
from torch2jax.normalize.named_lambdas import normalize_named_lambdas
from torch2jax.normalize.named_list_members import normalize_named_list_members
from torch2jax.normalize.named_loops import normalize_named_loops, normalize_trained_loops
from torch2jax.normalize.named_members import normalize_named_members
from torch2jax.normalize.named_pairs import normalize_named_pairs
from torch2jax.normalize.namespaces import normalize_added_names, normalize_namespaces
from torch2jax.normalize.nested_functions import with_functions_outside
from torch2jax.normalize.new_gradients import normalize_new_gradients
from torch2jax.normalize.no_grad_forwards import normalize_constant_forwards
from torch2jax.normalize.numbered_parts import normalize_numbered_parts
from torch2jax.normalize.old_iterators import normalize_old_iterators
from torch2jax.normalize.optimizer_arguments import normalize_optimizer_arguments
from torch2jax.normalize.optimizer_questions import normalize_optimizer_questions
from torch2jax.normalize.optional_optimizers import normalize_optional_optimizers
from torch2jax.normalize.other_spellings import normalize_other_spellings
from torch2jax.normalize.outliving_steps import normalize_outliving_steps
from torch2jax.normalize.output_parameters import normalize_arguments, tidy_arguments
from torch2jax.normalize.outside_gradients import check_outside_gradients
from torch2jax.normalize.overwritten_functions import normalize_overwritten_functions
from torch2jax.normalize.own_optimizers import normalize_own_optimizers
from torch2jax.normalize.parallel import normalize_parallel
from torch2jax.normalize.parameter_aliases import normalize_parameter_aliases
from torch2jax.normalize.parameter_updates import normalize_parameter_updates
from torch2jax.normalize.parameters_by_name import normalize_parameters_by_name
from torch2jax.normalize.parameters_in_states import normalize_parameters_in_states
from torch2jax.normalize.part_aliases import normalize_part_aliases
from torch2jax.normalize.part_gradients import normalize_part_gradients
from torch2jax.normalize.part_properties import normalize_part_properties
from torch2jax.normalize.partial_layers import normalize_partial_layers
from torch2jax.normalize.parts_of_objects import normalize_parts_of_objects
from torch2jax.normalize.placing_functions import normalize_placing_functions
from torch2jax.normalize.placing_methods import normalize_placing_methods
from torch2jax.normalize.plain_module_lists import normalize_plain_module_lists
from torch2jax.normalize.plain_trainers import normalize_plain_trainers
from torch2jax.normalize.pretrained_embeddings import normalize_pretrained_embeddings
from torch2jax.normalize.put_back_elements import normalize_put_back_elements
from torch2jax.normalize.rank_rows import normalize_rank_rows
from torch2jax.normalize.read_weights import with_read_weights
from torch2jax.normalize.rebound_fields import normalize_rebound_fields
from torch2jax.normalize.reduced_counters import normalize_reduced_counters
from torch2jax.normalize.registered_lists import normalize_registered_lists
from torch2jax.normalize.rescaled_losses import normalize_rescaled_losses
from torch2jax.normalize.reset_layers import normalize_resets
from torch2jax.normalize.returned_models import normalize_returned_models
from torch2jax.normalize.reused_parameters import normalize_reused_parameters
from torch2jax.normalize.reversed_parts import normalize_reversed_parts
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.safetensors_files import with_arrays_of_files
from torch2jax.normalize.scattered_reductions import normalize_scattered_reductions
from torch2jax.normalize.scheduler_bases import with_scheduler_bases
from torch2jax.normalize.scheduler_classes import normalize_scheduler_classes
from torch2jax.normalize.scratch_fields import normalize_handed_lists, normalize_handed_parts, normalize_scratch_fields
from torch2jax.normalize.script_calls import normalize_script_calls
from torch2jax.normalize.searched_steps import normalize_searched_steps
from torch2jax.normalize.seed_results import normalize_seed_results
from torch2jax.normalize.self_training import normalize_self_training
from torch2jax.normalize.set_aliases import normalize_set_aliases
from torch2jax.normalize.settled_buffers import normalize_settled_buffers
from torch2jax.normalize.sharded_models import normalize_sharded_models
from torch2jax.normalize.shared_arrays import normalize_shared_arrays
from torch2jax.normalize.shared_backwards import normalize_shared_backwards
from torch2jax.normalize.shared_globals import normalize_shared_globals
from torch2jax.normalize.shared_memory import normalize_shared_memory
from torch2jax.normalize.single_groups import normalize_single_groups
from torch2jax.normalize.single_losses import normalize_single_losses
from torch2jax.normalize.slot_writes import normalize_slot_writes
from torch2jax.normalize.spread_dicts import normalize_spread_dicts
from torch2jax.normalize.starred_extremes import normalize_starred_extremes
from torch2jax.normalize.state_dict_writes import normalize_state_dict_writes
from torch2jax.normalize.state_entries import normalize_state_entries
from torch2jax.normalize.state_methods import normalize_later_buffers, normalize_state_methods
from torch2jax.normalize.step_functions import normalize_step_functions
from torch2jax.normalize.step_methods import normalize_step_methods
from torch2jax.normalize.step_objects import normalize_step_objects
from torch2jax.normalize.stored_changes import normalize_stored_changes
from torch2jax.normalize.stored_entries import normalize_stored_entries
from torch2jax.normalize.submodule_absence import normalize_absent_fields
from torch2jax.normalize.submodule_fields import normalize_dict_fields, normalize_lambda_fields
from torch2jax.normalize.submodule_loops import normalize_part_loops
from torch2jax.normalize.submodule_names import normalize_named_parts, normalize_parts_set_together
from torch2jax.normalize.taken_elements import normalize_taken_elements
from torch2jax.normalize.tensor_lists import normalize_tensor_lists
from torch2jax.normalize.told_modules import normalize_told_modules
from torch2jax.normalize.trained_heads import normalize_trained_heads
from torch2jax.normalize.trained_tensors import normalize_trained_tensors
from torch2jax.normalize.training_comprehensions import normalize_training_comprehensions
from torch2jax.normalize.truncated_ranges import normalize_truncated_ranges
from torch2jax.normalize.trusted_classes import normalize_trusted_classes
from torch2jax.normalize.type_comparisons import normalize_type_comparisons
from torch2jax.normalize.unfilled_layers import normalize_unfilled_layers
from torch2jax.normalize.unread_fields import normalize_unread_fields
from torch2jax.normalize.used_up_parameters import normalize_used_up_parameters
from torch2jax.normalize.view_writes import normalize_views
from torch2jax.normalize.worker_seeds import normalize_worker_seeds
from torch2jax.normalize.wrapped_models import normalize_wrapped_models
from torch2jax.normalize.wrapped_steps import normalize_wrapped_steps
from torch2jax.normalize.written_arguments import normalize_written_arguments
from torch2jax.normalize.written_parameters import normalize_written_parameters
from torch2jax.options import Options
from torch2jax.own_tables import tables_for
from torch2jax.plan.hooks import plan_hooks
from torch2jax.plan.keys import plan_keys
from torch2jax.plan.model import Facts, Known, Plan
from torch2jax.plan.threading import plan_threading
from torch2jax.program.norm_families import OWN_MODES
from torch2jax.program.program import OtherFiles, Processes, build_program
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.lines import spread_lines
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.source import Source
from torch2jax.syntax.walk import Index, build_index
from torch2jax.targets import TARGETS
from torch2jax.values import Value

# Before all of them, and before anything is planned, effects are normalized in torch's own words, each pass on the facts of
# what the ones before it have left, until it has nothing more to normalize.
NORMALIZATIONS: tuple[Callable[[NormalizationRound], None], ...] = (
    check_outside_gradients,  # while steps are as they were written
    normalize_absent_packages,  # what never runs is not looked at
    normalize_overwritten_functions,  # as is that
    normalize_imported_classes,
    normalize_functional_norms,  # before it is asked what changes in place
    normalize_initializers,  # as are those
    normalize_given_initializers,  # as those are given away
    normalize_apex_amp,  # which gives models back
    normalize_getters,  # before it is asked what is read
    normalize_forward_hooks,  # while what changes in place says so
    normalize_written_arguments,  # before arguments are looked at
    normalize_part_properties,  # as are those
    normalize_field_setters,  # before fields of modules are looked at
    normalize_later_buffers,  # as are those
    normalize_trusted_classes,
    normalize_plain_module_lists,  # which have no parts then
    normalize_held_containers,  # before parts of modules are looked at
    normalize_reversed_parts,  # as those are
    normalize_large_numbers,
    normalize_shared_globals,  # before what changes in place is looked at
    normalize_early_reads,
    normalize_absent_classes,  # what never runs is not looked at
    normalize_optimizer_questions,  # as is that
    normalize_truncated_ranges,
    normalize_loss_modules,  # before optimizers are looked for
    normalize_unfilled_layers,
    normalize_added_names,  # before it is asked which names of torch are read
    normalize_evaluated_texts,  # as is that
    normalize_given_namespaces,  # which brings names into sight that torch is asked for
    normalize_layers_by_name,  # before it is asked of which classes modules are
    normalize_partial_layers,  # as it is behind that
    normalize_named_inputs,
    normalize_old_iterators,
    normalize_cut_variables,
    normalize_other_spellings,
    normalize_shared_memory,
    normalize_type_comparisons,
    normalize_starred_extremes,
    normalize_element_numbers,
    normalize_called_operators,  # before it is asked what changes in place
    normalize_parameter_updates,  # as it is behind that
    normalize_named_pairs,  # before loops over parts are looked at
    normalize_inplace_settings,
    normalize_inplace_flags,  # before it is asked what changes in place
    normalize_autocast_names,  # before contexts are looked at
    normalize_gradient_switches,
    normalize_chosen_contexts,
    normalize_gradient_modes,
    normalize_applied_functions,  # which makes statements of what stands in lambdas
    normalize_leaving_branches,  # before steps are looked for
    normalize_chosen_defaults,  # which makes choices
    normalize_conditional_statements,  # before what acts is looked for in statements
    normalize_own_optimizers,  # before optimizers are looked for
    normalize_added_groups,  # before groups are looked at
    normalize_moved_states,  # before it is asked how optimizers are used
    normalize_optimizer_arguments,  # before optimizers are looked for
    normalize_handed_back,  # as are those
    normalize_returned_models,
    normalize_steps_within_lines,  # before these are written out
    normalize_searched_steps,  # before steps are looked for
    normalize_closure_steps,  # as are those
    normalize_script_calls,  # before it is asked which modules are the same
    normalize_named_keywords,  # before arguments are looked at
    normalize_spread_dicts,  # as are those
    normalize_worker_seeds,
    normalize_library_seeds,
    normalize_seed_results,
    normalize_settled_buffers,
    normalize_placing_functions,
    normalize_placing_methods,
    normalize_load_messages,
    normalize_dict_records,
    normalize_scratch_fields,
    normalize_handed_lists,
    normalize_flattened_lists,
    normalize_unread_fields,
    normalize_module_tables,  # before loops over parts are looked at
    normalize_mode_contexts,  # which sets modes in statements
    normalize_finally_results,
    normalize_mode_calls,
    normalize_modes_at_init,
    normalize_handed_clears,
    normalize_left_modes,  # which are statements by now
    normalize_module_casts,
    normalize_pretrained_embeddings,  # before flags are looked at
    normalize_chained_flags,
    normalize_accelerators,  # before devices and steps are looked at
    normalize_sharded_models,  # into what is wrapped
    normalize_averaged_gradients,  # as are those that are
    normalize_parallel,
    normalize_scattered_reductions,  # of processes that are known by now, in terms of what is normalized before it
    normalize_parallel,
    normalize_rank_rows,  # of processes that are known by now
    normalize_reduced_counters,  # as are those
    normalize_devices,
    normalize_module_calls,  # what never runs tells nothing of fields
    normalize_host_numbers,
    normalize_loss_scaling,  # before steps are looked for
    normalize_shared_backwards,  # as are those
    normalize_common_endings,  # as are those
    normalize_listed_fields,  # before optimizers are looked at
    normalize_given_weights,
    normalize_used_up_parameters,  # before loops over parameters are looked at
    normalize_flat_parameters,  # in terms of which the next looks at loops
    normalize_hand_updates,
    normalize_tensor_lists,  # before loops over tensors are looked at
    normalize_scheduler_classes,  # before objects are looked at that keep optimizers
    normalize_wrapped_steps,  # which leaves objects that ask for groups only
    normalize_kept_optimizers,  # before it is asked how groups of parameters are used
    normalize_flag_helpers,  # before what is left of other files' functions is written out
    normalize_changed_parameters,  # as are those
    normalize_foreign_loops,  # as do those of other files
    normalize_group_loops,  # where the optimizer has a model beside it
    normalize_single_groups,
    normalize_kept_optimizers,  # once more: other files know optimizers with groups by now
    normalize_flags_by_name,  # behind helpers that set flags
    normalize_set_aliases,  # as are those
    normalize_layer_wrappers,
    normalize_named_lambdas,
    normalize_library_callers,  # which lambdas are not among any more
    normalize_namespaces,  # whose functions have names by now
    normalize_chosen_classes,
    normalize_mapped_modules,  # which makes comprehensions
    normalize_folded_modules,  # which makes loops
    normalize_training_comprehensions,  # what they train is looked for in statements
    normalize_method_pickers,
    normalize_method_fields,
    normalize_guarded_casts,  # before fields are looked at
    normalize_rebound_fields,  # as are those
    normalize_host_lists,  # before steps are looked for
    normalize_outliving_steps,  # as are those
    normalize_logged_rounds,  # as are those
    normalize_step_objects,  # before steps are looked for, and behind the scaling of losses
    normalize_gradient_readers,  # before steps are looked for, and behind what calls them
    normalize_single_losses,  # before steps are looked for
    normalize_rescaled_losses,  # as are those
    normalize_idle_leaves,  # before it is asked what is trained
    normalize_leaf_fields,  # as are those
    normalize_reused_parameters,  # before it is asked what variables hold
    normalize_appended_parameters,  # before it is asked which parameters there are
    normalize_given_parameters,  # before it is asked what is trained
    normalize_frozen_sources,  # before it is asked what is trained
    normalize_trained_heads,  # before what has groups is looked at
    normalize_trained_tensors,  # before it is asked what is trained
    normalize_plain_trainers,  # before what objects keep is looked at
    normalize_self_training,  # as are those; what is no module in name only
    normalize_kept_parameters,  # before it is asked which modules objects keep
    normalize_step_methods,  # before it is asked by which names modules go, and behind helpers that set flags
    normalize_unnamed_objects,  # before it is asked by which names they keep it
    normalize_kept_arguments,  # as are those; behind helpers that set flags
    normalize_wrapped_models,  # before those are looked for
    normalize_kept_modules,  # as are those
    normalize_wrapped_models,  # once more: those that have one name by now
    normalize_lent_modules,  # that have no other name by now
    normalize_told_modules,
    normalize_looking_objects,
    normalize_module_aliases,  # as are those
    normalize_moved_arguments,  # of one name, too
    normalize_filled_dicts,  # before it is asked what dicts hold
    normalize_named_members,  # as are those
    normalize_listed_modules,  # whose members have names by now
    normalize_trained_loops,  # which lists go through
    normalize_taken_elements,  # of lists that are left
    normalize_put_back_elements,  # of which these are some
    normalize_parameter_lists,
    normalize_parameters_in_states,  # which are loops over parameters by name then
    normalize_parameters_by_name,  # as are those
    normalize_changed_pairs,
    normalize_joined_parameters,  # behind those, and before loops over the parameters of one module are looked for
    normalize_new_gradients,  # behind the loops over models that are unrolled
    normalize_optional_optimizers,  # before steps are looked for
    normalize_idle_modes,  # as are those
    normalize_gradient_clears,  # what steps are looked for in has their lines in sight
    normalize_given_gradients,
    normalize_early_losses,  # before losses are added up
    normalize_losses_ahead,
    normalize_kept_graphs,
    normalize_joined_passes,
    normalize_stored_entries,  # as are those
    normalize_step_functions,
    normalize_early_losses,  # once more: those of steps that stand in their callers now
    normalize_losses_ahead,
    normalize_stored_entries,
    normalize_kept_modules,  # once more: what functions that stand in their callers now were given
    normalize_joined_passes,  # once more: those of such functions
    normalize_gradient_loops,  # behind those, which bring gradients into sight
    normalize_gradient_lists,  # of what is in sight by now
    normalize_part_gradients,  # which makes loops
    normalize_gradient_spellings,  # before changes are looked for
    normalize_gradient_changes,  # of loops that are left
    normalize_differentiated_lambdas,  # which are functions then
    normalize_module_readers,  # those that do not stand in sight of their steps now
    normalize_constant_forwards,
    normalize_class_counters,
    normalize_dict_fields,
    normalize_lambda_fields,
    normalize_absent_fields,
    normalize_buffer_loops,  # which writes state dicts
    normalize_state_dict_writes,
    normalize_state_entries,  # that are left of those
    normalize_parts_set_together,
    normalize_registered_lists,
    normalize_keyed_parts,
    normalize_collected_parts,
    normalize_handed_parts,  # of which no property could be made
    normalize_parts_of_objects,
    normalize_bare_modules,
    normalize_grown_sequentials,
    normalize_named_list_members,
    normalize_part_aliases,  # before changes are looked for
    normalize_parameter_aliases,  # as are those
    normalize_resets,  # what they fill is then looked for in loops over parts
    normalize_named_loops,  # before the names are looked at
    normalize_named_parts,
    normalize_counted_modules,
    normalize_numbered_parts,  # those that are left
    normalize_part_loops,
    normalize_helper_loops,  # those that are left
    normalize_part_aliases,  # once more: the lines that such loops become
    normalize_applied_parts,  # those that are left
    normalize_methods_of_init,  # once loops over parts say what they change, and before methods give their module back
    normalize_hoisted_updates,  # whose methods then may give their module back
    normalize_changed_modules,
    normalize_written_parameters,  # in methods that cannot give their module back
    normalize_made_arguments,
    normalize_made_results,  # for the same reason
    normalize_stored_changes,
    normalize_shared_arrays,  # before it is asked who shares storage
    normalize_chained_stores,
    normalize_products,
    normalize_element_sums,  # before it is asked who shares storage
    normalize_kept_on_the_way,  # before it is asked who changes arguments
    normalize_inplace_expressions,  # as is this
    normalize_arguments,
    normalize_state_methods,
    normalize_slot_writes,  # which leave the walk over storage nothing to do
    normalize_views,
    normalize_written_parameters,  # once more: what changes of views have shown
    normalize_state_methods,  # likewise
    tidy_arguments,
    normalize_control,
    normalize_time_steps,
)


_ROUNDS = 8


@dataclass(slots=True)
class NormalizedEffects:
    """What normalizing the effects of a file has come to. `origins` maps new nodes to those of the tree before, `rebuilt`
    those of the tree before to what stands in their place, `sources` cores of statements to those of what they stand for;
    `unreached` are cores of statements of the tree before that never run.
    """

    origins: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    rebuilt: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    sources: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    settled: set[cst.CSTNode] = field(default_factory=set)
    in_place: set[cst.CSTNode] = field(default_factory=set)
    marks: set[tuple[str, ...]] = field(default_factory=set)
    lasting: list[Problem] = field(default_factory=list)
    unreached: set[cst.CSTNode] = field(default_factory=set)

    def apply(self, work: NormalizationRound) -> Index:
        """The index of the module with the edits of one round."""
        rewriter = Rewriter(work.edits, work.index.parents)
        module = rewriter(work.index.module)
        assert isinstance(module, cst.Module)
        index = build_index(module, separates=True)
        note_origins(work.index, module, work.copies, self.origins)
        self.unreached |= {self.sources.get(mark, mark) for mark in work.unreached}
        self.sources |= {new: self.sources.get(old, old) for new, old in rewriter.sources.items()}
        self.rebuilt = {old: rewriter.rebuilt.get(new, new) for old, new in self.rebuilt.items()} | rewriter.rebuilt
        self.settled = {rewriter.rebuilt.get(node, node) for node in self.settled | work.settled}
        self.in_place = {rewriter.rebuilt.get(node, node) for node in self.in_place | work.in_place}
        self.marks |= work.marks
        self.lasting = [
            Problem(self._kept(item.node, work.index, index, rewriter), item.code, item.fields)
            for item in (*self.lasting, *work.lasting)
        ]
        return index

    def _kept(self, node: cst.CSTNode, old: Index, new: Index, rewriter: Rewriter) -> cst.CSTNode:
        """What stands in the new tree for a node of the old one: itself, what was made of it, or of what is around it."""
        for item in (node, *old.ancestors(node)):
            kept = rewriter.rebuilt.get(item, item)
            if kept in new.parents:
                return kept
            origin = self.origins.get(item, item)
            made = next((new_node for new_node in new.parents if self.origins.get(new_node) is origin), None)
            if made is not None:
                return made
        return new.module


@dataclass(frozen=True, slots=True)
class Analysis:
    """The facts and the plan of one file."""

    facts: Facts
    plan: Plan
    normalized: NormalizedEffects

    @property
    def reached(self) -> frozenset[str]:
        """The places of the files whose functions its calls run."""
        callees = self.facts.values.callees
        found = [item for call in self.facts.program.index.calls for item in callees.get(call, ())]
        return frozenset([item.place for item in found])


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file as the analysis wants it: lines that hold several statements are spread (`origins` says of what), classes
    derive from no layers of torch (`members` says in which fields containers hold their parts, `layers` from which they did),
    and transforms are normalized. What analyses know of it is in the `memory`.
    """

    source: Source
    origins: Mapping[cst.CSTNode, cst.CSTNode]
    normalized: Normalized
    members: Mapping[str, str] = field(default_factory=dict)
    layers: frozenset[str] = frozenset()
    memory: Memory = field(default_factory=Memory)


def prepare(
    source: Source,
    options: Options,
    asked: Container[str] = (),
    index: Index | None = None,
    is_imported: bool = False,
    named: Set[str] = frozenset(),
) -> Prepared:
    """Prepare a parsed file, whose index is made unless it is given; `asked` are the modules of its imports that are files of
    the program, `is_imported` says whether others may have its names from it, and `named` are those that they may have.
    """
    spread = spread_lines(source.module)
    if index is None or spread.module is not index.module:
        index = build_index(spread.module)
    read = with_functions_outside(with_read_weights(with_arrays_of_files(index)), named)
    helped = with_scheduler_bases(with_library_helpers(read, asked, is_imported))
    subclassed = with_layer_bases(with_methods_of_mixins(helped, named))
    normalized = normalize_transforms(subclassed.index, source.text, tables_for(options), named)
    return Prepared(source, spread.origins, normalized, subclassed.members, subclassed.layers)


Calls = Mapping[str, Mapping[str, Value]]  # function's key -> parameter -> what other files pass for it


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What one file may know of its program: its own `place` in it and a number; the places that its imports ask for
    (`asked`); the files that it imports, also through others, and the rest; how other files call its functions; whether other
    files start `processes`, the places of the files of the programs that it is a part of (`together`), whether one of these
    imports it (`is_imported`), the names of all fields that other files `read`, the classes of the program whose modules are
    `frozen` in one of them (None where they are not translated with it), what the others say of `settings`, the parameters
    of functions that are given what other files may have `looked_at` behind their calls, the `families` of norms that the
    program tells apart, what is `known` of the functions of others, and whether some file lists the parts of modules of others
    (`lists_parts`), and whether these are all files of the program (`are_all_known`).
    """

    place: str = ""
    number: int = 0
    asked: Mapping[str, str] = field(default_factory=dict)
    imported: Sequence[Analysis] = ()
    others: Sequence[Analysis] = ()
    calls: Calls = field(default_factory=dict)
    processes: Processes = Processes.UNKNOWN
    together: frozenset[str] = frozenset()
    is_imported: bool = False
    read: Set[str] = frozenset()
    frozen: frozenset[str] | None = None
    settings: Callable[[str], list[Sources]] = lambda name: []
    looked_at: frozenset[tuple[str, str]] = frozenset()
    families: frozenset[str] = frozenset()
    known: Known = field(default_factory=Known)
    lists_parts: bool = False
    are_all_known: bool = False


def analyse(
    index: Index,
    options: Options,
    around: Neighbours,
    package: str = "",
    memory: Memory | None = None,
    marks: Set[tuple[str, ...]] = frozenset(),
) -> Analysis:
    """Facts and plan of one file, given those of the files around it, and the memory of its earlier analyses; `marks` say of its
    functions what the normalizing of transforms has found.
    """
    tables, target = tables_for(options, around.families), TARGETS[options.target]
    if options.parallel == "pmap":
        target = target.with_pmap()
    if OWN_MODES in around.families:
        target = target.with_own_modes()
    others = (*around.imported, *around.others)
    memory = memory or Memory()
    memory.start(index.parents)
    lambdas = {node: draw for other in others for node, draw in other.facts.effects.drawing_lambdas().items()}
    files = OtherFiles(other.facts.program for other in others)
    elsewhere = OtherValues(other.facts.values for other in others)
    bindings = [(other.facts.program, other.facts.effects.bound) for other in others]
    bound_elsewhere = [(program, bound) for program, bound in bindings if bound is not None]
    filled = frozenset[tuple[str, str]]().union(*(other.facts.effects.module_state.filled for other in others))
    begun = early_methods(other.facts.effects.module_state.begun for other in others)
    beside = frozenset[tuple[str, str]]().union(*(other.facts.effects.asked_beside for other in others))
    makers = frozenset[tuple[str, bool]]().union(*(other.facts.effects.module_state.makers for other in others))
    kept_elsewhere = [other.facts.values.kept_numbers for other in others]
    looked: list[Values] = []

    def look(index: Index, normalized: NormalizedEffects) -> NormalizationRound:
        program = build_program(index, around.place)
        program.package, program.asked, program.first_site = package, around.asked, around.number * SITES
        program.processes = around.processes
        program.is_imported, program.read_elsewhere = around.is_imported, around.read
        program.looked_at, program.are_users_known = around.looked_at, around.are_all_known
        program.stored_elsewhere = stored_elsewhere(program, (other.facts.values for other in others))
        program.filled, program.early_elsewhere = filled, begun
        program.makers_elsewhere = makers
        program.settled, program.marks = frozenset(normalized.settled), frozenset(normalized.marks)
        program.in_place = frozenset(normalized.in_place)
        program.adopt(files)
        for function in program.functions.values():
            function.seen_elsewhere = dict(around.calls.get(function.key, {}))
        for function, before in looked.pop().seen_before.items() if looked else ():
            function.seen = before
        values = infer_values(program, tables, memory)
        looked.append(values)
        values.adopt(elsewhere)
        drawing = target.draws_at_init, target.calls_take_key
        is_function = partial(target.is_function, tables)
        bound = None if target.bound is None else find_bound(program, values, is_function, bound_elsewhere)
        effects = analyse_effects(program, values, tables, *drawing, around.known.summaries, lambdas, bound, beside)
        effects.threads = target.state is not None
        values.kept_numbers = effects.kept_numbers(target.makes_arrays_of_numbers).union(*kept_elsewhere)
        several = options.parallel is not None
        return NormalizationRound(
            index,
            program,
            values,
            effects=effects,
            flows=Flows(program),
            checked=target.checked,
            has_objects=not (target.immutable or target.setup is not None),
            keeps_trained=target.optimizer_state_of is None,
            several=several,
        )

    noted = {(name, f"{around.place}{key}", *rest) for name, key, *rest in marks}
    found, normalized = _normalize_effects(look, index, noted)
    program, values, effects, flows = found.program, found.values, found.effects, found.flows
    assert effects is not None and flows is not None
    program.gone = names_of_torch(program, values, tables).union(
        item.name for item in left_to_callers(program) if item.owner is None
    )
    program.gone |= {item.name for item in left_contexts(program)}
    if takes_hooks(program):
        target = target.with_hooks()
    exchanges = partial(exchanges_functions, program, values, partial(target.is_function, tables))
    is_exchanged = target.setup is None and exchanges()
    is_listed = around.lists_parts or is_exchanged or takes_hooks(program) or lists_parts(program, values)
    lists_others = target.function_module is not None and lists_parts_of_others(program, values)
    if target.function_module is not None and is_listed:
        target = target.with_listed_functions(target.function_module, around.lists_parts)
    plan = Plan(imported=around.known.plans)
    for other in others:
        plan.adopt(other.plan)
    steps = tuple(find_steps(program, values, flows))
    evaluations = () if takes_hooks(program) else tuple(find_evaluations(program, effects, flows, steps))
    loops = tuple(
        item for item in find_parameter_loops(program, values, flows) if target.immutable or not item.of_modules
    )
    replaced = frozenset(find_replaced_parts(program, values, effects)) if target.immutable else frozenset()
    settings = collect_settings(program, values, effects)
    effects.settings = find_tensor_settings(settings, around.settings)
    untrained = (*(effects.settings if target.immutable else ()), *find_array_fields(program, values, effects))
    opened = (*find_opened(program, values, replaced), *untrained)
    effects.opened = frozenset(opened).union(*(item.facts.effects.opened for item in others))
    freezing = find_freezing(program, values, steps, flows, around.frozen is not None)
    effects.frozen = freezing.classes.union(around.frozen or (), *(item.facts.effects.frozen for item in others))
    rates = [other.facts.schedules.shared for other in others]
    schedules = find_schedules(program, values, tables, steps, rates, effects.threads)
    steps_elsewhere = tuple(step for other in others for step in other.facts.steps)
    partners = [other.facts.parallel for other in others if other.facts.program.prefix in around.together]
    parallel = find_parallel(program, values, effects, steps, evaluations, partners)
    facts = Facts(
        program,
        values,
        effects,
        flows,
        steps,
        evaluations,
        tables,
        target,
        loops,
        freezing,
        replaced,
        schedules,
        steps_elsewhere,
        parallel,
        settings,
        lists_others,
    )
    plan_threading(facts, plan, around.known, [other.facts for other in others])
    plan_keys(facts, plan)
    plan_hooks(facts, plan)
    return Analysis(facts, plan, normalized)


def _normalize_effects(
    look: Callable[[Index, NormalizedEffects], NormalizationRound], index: Index, marks: set[tuple[str, ...]]
) -> tuple[NormalizationRound, NormalizedEffects]:
    """The facts of what the normalizations have made of a file, and what they have to say about it."""
    normalized = NormalizedEffects(marks=marks)
    work = look(index, normalized)
    for normalize in NORMALIZATIONS:
        for last in [False] * (_ROUNDS - 1) + [True]:
            normalize(work)
            problems = list(work.problems)
            work.problems.clear()
            is_done = not work.edits.touched() and work.marks <= normalized.marks
            if last or is_done:
                normalized.problems += problems
            if is_done:
                normalized.settled |= work.settled
                work.program.settled = frozenset(normalized.settled)
                break
            work = look(normalized.apply(work), normalized)
    every = (*normalized.lasting, *work.lasting, *normalized.problems)
    normalized.problems = [placed(item, work.index, normalized.origins) for item in every]
    return work, normalized
