"""Model packages: from a model folder to a wheel that pip installs, without building anything."""

from whorl.packaging.package import Package, package_model

__all__ = ["Package", "package_model"]
