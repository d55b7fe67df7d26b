import os
import torch
import importlib


class Exp_Basic(object):
    def __init__(self, args):
        self.args = args
        model_map = self._scan_models_directory()
        self.model_dict = LazyModelDict(model_map)
        self.device = torch.device("cpu")
        self.model = self._build_model().to(self.device)

    def _scan_models_directory(self):
        model_map = {}
        models_dir = "models"
        here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), models_dir)
        if os.path.exists(here):
            for filename in os.listdir(here):
                if filename.endswith(".py") and filename != "__init__.py":
                    module_name = filename[:-3]
                    model_map[module_name] = f"{models_dir}.{module_name}"
        return model_map

    def _build_model(self):
        raise NotImplementedError
        return None


class LazyModelDict(dict):
    def __init__(self, model_map):
        self.model_map = model_map
        super().__init__()

    def __getitem__(self, key):
        if key in self:
            return super().__getitem__(key)
        if key not in self.model_map:
            raise NotImplementedError(f"Model [{key}] not found in 'models' directory.")
        module_path = self.model_map[key]
        try:
            print(f"Lazy Loading: {key} ...")
            module = importlib.import_module(module_path)
        except ImportError as e:
            print(f"Error: Failed to import model [{key}]. Dependencies missing?")
            raise e
        if hasattr(module, "Model"):
            model_class = module.Model
        elif hasattr(module, key):
            model_class = getattr(module, key)
        else:
            raise AttributeError(f"Module {module_path} has no class 'Model' or '{key}'")
        self[key] = model_class
        return model_class
